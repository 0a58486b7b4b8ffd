package dev.veilgate.peks;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** Names a public key: the first 16 bytes of the SHA-256 of its encoding. */
public final class KeyId {
    /** Bytes of a key id. */
    public static final int BYTES = 16;

    private final byte[] bytes;

    private KeyId(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @throws IllegalArgumentException unless there are {@value #BYTES} bytes */
    public static KeyId of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a key id has " + BYTES + " bytes");
        }
        return new KeyId(bytes.clone());
    }

    /** The id of an encoded public key. */
    public static KeyId ofPublicKey(byte[] encoded) {
        try {
            return new KeyId(Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(encoded), BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** A copy of the bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyId that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
