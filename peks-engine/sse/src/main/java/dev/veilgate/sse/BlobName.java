package dev.veilgate.sse;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Name of an object in a {@link BlobStore}.
 *
 * @param value SHA-256 of the object's bytes, as 64 hexadecimal digits in small letters
 */
public record BlobName(String value) implements Comparable<BlobName> {
    private static final int BUFFER_BYTES = 1 << 16;

    /** @throws IllegalArgumentException if it is no such number */
    public BlobName {
        if (!value.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException("an object's name has 64 hexadecimal digits in small letters");
        }
    }

    /** The name of an object. */
    public static BlobName of(Message.Body object) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream in = object.open()) {
            byte[] buffer = new byte[BUFFER_BYTES];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return of(digest);
    }

    /** The name of an object whose bytes were put into a digest of {@link #sha256}. */
    public static BlobName of(MessageDigest digest) {
        return new BlobName(HexFormat.of().formatHex(digest.digest()));
    }

    /** A digest that names are made with. */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime lacks SHA-256", e);
        }
    }

    /** @throws MalformedEncodingException if bytes have another name than they should */
    public void require(BlobName actual) throws MalformedEncodingException {
        if (!equals(actual)) {
            throw new MalformedEncodingException("object", "must have the SHA-256 that is its name");
        }
    }

    @Override
    public int compareTo(BlobName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
