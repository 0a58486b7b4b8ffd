package dev.veilgate.ese.elgamal;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.EseSecretKey;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.Zr;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The exponent y. Whoever has it decrypts everything.
 *
 * <p>Never printed; equality takes constant time. Numbers are immutable objects of the native library's binding: {@link #destroy} lets go of this one, its memory is
 * the garbage collector's.
 */
public final class SecretKey implements EseSecretKey<PublicKey> {
    private static final int VERSION = 1;

    private final PublicKey publicKey;
    private volatile @Nullable Zr y;

    /** @param y not zero */
    SecretKey(Zr y) {
        this.publicKey = new PublicKey(G1.GENERATOR.times(y));
        this.y = y;
    }

    @Override
    public PublicKey publicKey() {
        return publicKey;
    }

    Zr y() {
        Zr held = y;
        if (held == null) {
            throw new IllegalStateException("the secret key was destroyed");
        }
        return held;
    }

    /**
     * Canonical encoding, 33 bytes: version, y. In clear: the caller seals it, and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    @Override
    public byte[] encode() {
        byte[] exponent = y().encode();
        ByteWriter out = new ByteWriter(1 + Zr.BYTES);
        try {
            return out.uint8(VERSION).bytes(exponent).toByteArray();
        } finally {
            Arrays.fill(exponent, (byte) 0);
            out.wipe();
        }
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, numbers that are not below the order of the group, and 0. */
    public static SecretKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("secret-key", encoded);
        in.expect("version", VERSION);
        byte[] exponent = in.bytes("y", Zr.BYTES);
        try {
            in.end();
            Zr y = Zr.decode("secret-key.y", exponent);
            if (y.isZero()) {
                throw new MalformedEncodingException("secret-key.y", "must not be 0");
            }
            return new SecretKey(y);
        } finally {
            Arrays.fill(exponent, (byte) 0);
        }
    }

    @Override
    public void destroy() {
        y = null;
    }

    /** Whether both are the same key, in constant time; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        Zr mine = y;
        return mine != null && other instanceof SecretKey that && mine.equals(that.y);
    }

    @Override
    public int hashCode() {
        return publicKey.hashCode();
    }

    @Override
    public String toString() {
        return "SecretKey[hidden, " + publicKey.id() + "]";
    }
}
