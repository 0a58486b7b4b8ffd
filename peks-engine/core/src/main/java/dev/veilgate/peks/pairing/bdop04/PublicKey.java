package dev.veilgate.peks.pairing.bdop04;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.math.pairing.G2;
import dev.veilgate.peks.KeyId;
import org.jspecify.annotations.Nullable;

/** h = g2^alpha. Immutable. */
public final class PublicKey {
    private static final int VERSION = 1;

    private final G2 h;
    private final KeyId id;

    PublicKey(G2 h) {
        this.h = h;
        this.id = KeyId.ofPublicKey(encode());
    }

    /** Names the key. */
    public KeyId id() {
        return id;
    }

    G2 h() {
        return h;
    }

    /** Canonical encoding, 97 bytes: version, h compressed. */
    public byte[] encode() {
        return new ByteWriter(1 + G2.BYTES).uint8(VERSION).bytes(h.encode()).toByteArray();
    }

    /** The inverse of {@link #encode}: refuses wrong lengths and whatever is no element of the group, and the identity. */
    public static PublicKey decode(byte[] encoded) throws MalformedEncodingException {
        ByteReader in = new ByteReader("public-key", encoded);
        in.expect("version", VERSION);
        byte[] h = in.bytes("h", G2.BYTES);
        in.end();
        return new PublicKey(G2.decode("public-key.h", h));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PublicKey that && h.equals(that.h);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "PublicKey[" + Bdop04IndexScheme.ID + ", " + id + "]";
    }
}
