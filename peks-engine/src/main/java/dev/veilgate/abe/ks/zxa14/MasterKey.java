package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.abe.kem.Erasable;
import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.Zr;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The authority's secret: whoever has it makes keys for every attribute, and so finds every keyword.
 *
 * <p>Never printed; equality takes constant time. Numbers are immutable objects of the native library's binding: {@link #destroy} lets go of them, their memory is the
 * garbage collector's.
 */
public final class MasterKey implements AutoCloseable {
    private static final int VERSION = 1;
    private static final int BYTES = 1 + 4 * Zr.BYTES;

    /** The exponents, none of them 0. */
    record Parts(Zr a, Zr b, Zr c, Zr d) {}

    private final PublicKey publicKey;
    private final Erasable<Parts> parts;

    MasterKey(Parts parts) {
        this.publicKey = new PublicKey(
                G1.GENERATOR.times(parts.a),
                G1.GENERATOR.times(parts.b),
                G2.GENERATOR.times(parts.b),
                G2.GENERATOR.times(parts.c),
                Gt.pairing(G1.GENERATOR.times(parts.d), G2.GENERATOR));
        this.parts = new Erasable<>(parts);
    }

    /** The public key that belongs to it. */
    public PublicKey publicKey() {
        return publicKey;
    }

    Parts parts() {
        return parts.get();
    }

    /**
     * Canonical encoding, 129 bytes: version, a, b, c, d. In clear: the caller seals it, and wipes the array.
     *
     * @throws IllegalStateException after {@link #destroy}
     */
    public byte[] encode() {
        return encode(parts());
    }

    private static byte[] encode(Parts parts) {
        ByteWriter out = new ByteWriter(BYTES).uint8(VERSION);
        try {
            for (Zr exponent : new Zr[] {parts.a, parts.b, parts.c, parts.d}) {
                byte[] encoded = exponent.encode();
                out.bytes(encoded);
                Arrays.fill(encoded, (byte) 0);
            }
            return out.toByteArray();
        } finally {
            out.wipe();
        }
    }

    /** The inverse of {@link #encode}: refuses wrong lengths, numbers that are not below the order of the groups, and 0. */
    public static MasterKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("master-key", encoded);
        in.expect("version", VERSION);
        Parts parts = new Parts(exponent("a", in), exponent("b", in), exponent("c", in), exponent("d", in));
        in.end();
        return new MasterKey(parts);
    }

    private static Zr exponent(String name, ByteReader in) throws MalformedEncodingException {
        byte[] encoded = in.bytes(name, Zr.BYTES);
        try {
            Zr exponent = Zr.decode("master-key." + name, encoded);
            if (exponent.isZero()) {
                throw new MalformedEncodingException("master-key." + name, "must not be 0");
            }
            return exponent;
        } finally {
            Arrays.fill(encoded, (byte) 0);
        }
    }

    /** Forgets the key; every later use throws {@link IllegalStateException}. */
    public void destroy() {
        parts.destroy();
    }

    /** {@link #destroy}. */
    @Override
    public void close() {
        destroy();
    }

    /** Whether both are the same key, in constant time; a destroyed key equals only itself. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || other instanceof MasterKey that && parts.sameAs(that.parts, MasterKey::encode);
    }

    @Override
    public int hashCode() {
        return publicKey.hashCode();
    }

    @Override
    public String toString() {
        return "MasterKey[hidden]";
    }
}
