package dev.veilgate.ese;

import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Arrays;

/**
 * What a server indexes a ciphertext by: equal for equal messages under one key and domain, 32 bytes. Ordered, so that any index finds it in logarithmic time.
 * Whoever has it and the public key can test guesses of the message; that is why it is never printed.
 */
public final class Tag implements Comparable<Tag> {
    /** Length of a tag. */
    public static final int BYTES = 32;

    private final byte[] bytes;

    /** Takes over the array. */
    Tag(byte[] bytes) {
        this.bytes = bytes;
    }

    /** The inverse of {@link #encode}: all values are tags. */
    public static Tag decode(byte[] encoded) throws MalformedEncodingException {
        if (encoded.length != BYTES) {
            throw new MalformedEncodingException("tag", "must have " + BYTES + " bytes");
        }
        return new Tag(encoded.clone());
    }

    /** The bytes, a copy. */
    public byte[] encode() {
        return bytes.clone();
    }

    @Override
    public int compareTo(Tag that) {
        return Arrays.compareUnsigned(bytes, that.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tag that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return "Tag[hidden]";
    }
}
