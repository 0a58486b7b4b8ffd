package dev.veilgate.query;

import dev.veilgate.peks.ScopedTrapdoor;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** SHA-256 of an encoded trapdoor: names it in grants and caches. Ordered by its bytes, unsigned. */
public final class Digest implements Comparable<Digest> {
    /** Bytes of a digest. */
    public static final int BYTES = 32;

    private final byte[] bytes;

    private Digest(byte[] bytes) {
        this.bytes = bytes;
    }

    /** @throws IllegalArgumentException unless there are {@value #BYTES} bytes */
    public static Digest of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a digest has " + BYTES + " bytes");
        }
        return new Digest(bytes.clone());
    }

    /** The digest of a trapdoor with all that it is good for. */
    public static Digest of(ScopedTrapdoor trapdoor) {
        try {
            return new Digest(MessageDigest.getInstance("SHA-256").digest(trapdoor.encode()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** A copy of the bytes. */
    public byte[] toBytes() {
        return bytes.clone();
    }

    @Override
    public int compareTo(Digest other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Digest that && Arrays.equals(bytes, that.bytes);
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
