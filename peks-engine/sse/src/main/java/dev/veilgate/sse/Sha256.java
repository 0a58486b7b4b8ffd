package dev.veilgate.sse;

import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * SHA-256 of many short inputs, one after the other: looked up once, and without an array for each result. For those
 * who write a scheme; for one thread.
 */
public final class Sha256 {
    /** Bytes of a result. */
    public static final int BYTES = 32;

    private final MessageDigest digest;
    private final byte[] result = new byte[BYTES];

    /** Looks the algorithm up. */
    public Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** Appends to the input. */
    public Sha256 add(byte[] part) {
        digest.update(part);
        return this;
    }

    /** Appends to the input. */
    public Sha256 add(byte[] of, int at, int length) {
        digest.update(of, at, length);
        return this;
    }

    /** Appends a number of 4 bytes, the highest first. */
    public Sha256 add(int number) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            digest.update((byte) (number >> shift));
        }
        return this;
    }

    /** The digest of what was appended since the last; the same array each time, overwritten by the next. */
    public byte[] finish() {
        try {
            digest.digest(result, 0, BYTES);
        } catch (DigestException e) {
            throw new IllegalStateException("32 bytes are enough for SHA-256", e);
        }
        return result;
    }
}
