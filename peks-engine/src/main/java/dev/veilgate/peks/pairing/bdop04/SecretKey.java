package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Zr;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The master key alpha. Whoever has it can issue every trapdoor.
 *
 * <p>Never printed; equality takes constant time. Numbers are immutable objects of the native library's binding: {@link #destroy} lets go of this one, its memory is
 * the garbage collector's.
 */
public final class SecretKey implements AutoCloseable {
    private static final int VERSION = 1;

    private final PublicKey publicKey;
    private volatile @Nullable Zr alpha;

    /** @param alpha not zero */
    SecretKey(Zr alpha) {
        this.publicKey = new PublicKey(G2.GENERATOR.times(alpha));
        this.alpha = alpha;
    }

    /** The public key that belongs to it. */
    public PublicKey publicKey() {
        return publicKey;
    }

    Zr alpha() {
        Zr held = alpha;
        if (held == null) {
            throw new IllegalStateException("the secret key was destroyed");
        }
        return held;
    }

    /**
     * Canonical encoding, 33 bytes: version, alpha. In clear: the caller seals it, and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    public byte[] encode() {
        byte[] exponent = alpha().encode();
        ByteWriter out = new ByteWriter(1 + Zr.BYTES);
        try {
            return out.uint8(VERSION).bytes(exponent).toByteArray();
        } finally {
            Arrays.fill(exponent, (byte) 0);
            out.wipe();
        }
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, numbers that are not below the order of the groups, and 0. */
    public static SecretKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("secret-key", encoded);
        in.expect("version", VERSION);
        byte[] exponent = in.bytes("alpha", Zr.BYTES);
        try {
            in.end();
            Zr alpha = Zr.decode("secret-key.alpha", exponent);
            if (alpha.isZero()) {
                throw new MalformedEncodingException("secret-key.alpha", "must not be 0");
            }
            return new SecretKey(alpha);
        } finally {
            Arrays.fill(exponent, (byte) 0);
        }
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        alpha = null;
    }

    /** {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        Zr mine = alpha;
        return mine != null && other instanceof SecretKey that && mine.equals(that.alpha);
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
