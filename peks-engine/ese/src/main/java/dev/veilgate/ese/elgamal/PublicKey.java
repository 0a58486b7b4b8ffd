package dev.veilgate.ese.elgamal;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.ese.EsePublicKey;
import dev.veilgate.math.pairing.G1;
import dev.veilgate.peks.KeyId;
import org.jspecify.annotations.Nullable;

/** Y = y·g1. Immutable. */
public final class PublicKey implements EsePublicKey {
    private static final int VERSION = 1;

    private final G1 y;
    private final byte[] encoded;
    private final KeyId id;

    PublicKey(G1 y) {
        this.y = y;
        this.encoded =
                new ByteWriter(1 + G1.BYTES).uint8(VERSION).bytes(y.encode()).toByteArray();
        this.id = KeyId.ofPublicKey(encoded);
    }

    @Override
    public KeyId id() {
        return id;
    }

    G1 y() {
        return y;
    }

    /** Canonical encoding, 49 bytes: version, Y compressed. */
    @Override
    public byte[] encode() {
        return encoded.clone();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths and whatever is no element of the group, and the identity. */
    public static PublicKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("public-key", encoded);
        in.expect("version", VERSION);
        byte[] y = in.bytes("y", G1.BYTES);
        in.end();
        return new PublicKey(G1.decode("public-key.y", y));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PublicKey that && y.equals(that.y);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "PublicKey[" + ElGamalKem.ID + ", " + id + "]";
    }
}
