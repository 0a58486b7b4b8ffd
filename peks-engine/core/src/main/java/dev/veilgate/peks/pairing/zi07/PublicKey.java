package dev.veilgate.peks.pairing.zi07;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.math.pairing.Gt;
import dev.veilgate.peks.KeyId;
import org.jspecify.annotations.Nullable;

/** X = g1^alpha and h. Immutable. */
public final class PublicKey {
    private static final int VERSION = 1;

    private final G1 x;
    private final G2 h;
    private final Gt mask;
    private final KeyId id;

    PublicKey(G1 x, G2 h) {
        this.x = x;
        this.h = h;
        this.mask = Gt.pairing(G1.GENERATOR, h);
        this.id = KeyId.ofPublicKey(encode());
    }

    /** Names the key. */
    public KeyId id() {
        return id;
    }

    G1 x() {
        return x;
    }

    G2 h() {
        return h;
    }

    /** e(g1, h), of which slots' secrets are powers. */
    Gt mask() {
        return mask;
    }

    /** Canonical encoding, 145 bytes: version, X and h compressed. */
    public byte[] encode() {
        return new ByteWriter(1 + G1.BYTES + G2.BYTES)
                .uint8(VERSION)
                .bytes(x.encode())
                .bytes(h.encode())
                .toByteArray();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths and whatever is no element of its group, and identities. */
    public static PublicKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("public-key", encoded);
        in.expect("version", VERSION);
        byte[] x = in.bytes("x", G1.BYTES);
        byte[] h = in.bytes("h", G2.BYTES);
        in.end();
        return new PublicKey(G1.decode("public-key.x", x), G2.decode("public-key.h", h));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PublicKey that && x.equals(that.x) && h.equals(that.h);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "PublicKey[" + Zi07IndexScheme.ID + ", " + id + "]";
    }
}
