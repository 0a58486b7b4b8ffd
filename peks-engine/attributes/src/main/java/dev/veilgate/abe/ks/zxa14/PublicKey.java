package dev.veilgate.abe.ks.zxa14;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.math.pairing.PairingProduct;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The authority's: g1^a, g1^b, g2^b, g2^c, Y = e(g1, g2)^d. Immutable. */
public final class PublicKey {
    /** Length of an encoding. */
    static final int BYTES = 1 + 2 * G1.BYTES + 2 * G2.BYTES + Gt.BYTES;

    private static final int VERSION = 1;

    private final G1 g1A;
    private final G1 g1B;
    private final G2 g2B;
    private final G2 g2C;
    private final Gt y;

    PublicKey(G1 g1A, G1 g1B, G2 g2B, G2 g2C, Gt y) {
        this.g1A = g1A;
        this.g1B = g1B;
        this.g2B = g2B;
        this.g2C = g2C;
        this.y = y;
    }

    G1 g1A() {
        return g1A;
    }

    G1 g1B() {
        return g1B;
    }

    G2 g2B() {
        return g2B;
    }

    G2 g2C() {
        return g2C;
    }

    Gt y() {
        return y;
    }

    /** Canonical encoding, 865 bytes: version, g1^a, g1^b, g2^b, g2^c, Y. */
    public byte[] encode() {
        return new ByteWriter(BYTES)
                .uint8(VERSION)
                .bytes(g1A.encode())
                .bytes(g1B.encode())
                .bytes(g2B.encode())
                .bytes(g2C.encode())
                .bytes(y.encode())
                .toByteArray();
    }

    /**
     * The inverse of {@link #encode}: refuses wrong lengths, whatever is no element of its group, identities, and two b that differ: what is sealed under such a key, no
     * token would find.
     */
    public static PublicKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("public-key", encoded);
        PublicKey key = read(in);
        in.end();
        return key;
    }

    /** Reads one; more may follow. */
    static PublicKey read(ByteReader in) throws MalformedEncodingException {
        in.expect("version", VERSION);
        byte[] rest = in.bytes("elements", BYTES - 1);
        ByteReader elements = new ByteReader("public-key", rest);
        G1 g1A = G1.read(elements, "a");
        G1 g1B = G1.read(elements, "b");
        G2 g2B = G2.read(elements, "b2");
        G2 g2C = G2.read(elements, "c");
        Gt y = Gt.read(elements, "y");
        PairingProduct difference =
                new PairingProduct().times(g1B, G2.GENERATOR).over(G1.GENERATOR, g2B);
        if (!difference.value().isOne()) {
            throw new MalformedEncodingException("public-key.b2", "of the same exponent as b");
        }
        return new PublicKey(g1A, g1B, g2B, g2C, y);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PublicKey that && Arrays.equals(encode(), that.encode());
    }

    @Override
    public int hashCode() {
        return g1A.hashCode();
    }
}
