package dev.veilgate.sse;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Names a document of an archive. Ids are chosen by the owner, each is used once: a document that changes is deleted,
 * and added under another.
 *
 * @param value all 64 bits are of use, 0 too
 */
public record DocumentId(long value) implements Comparable<DocumentId> {
    /** Bytes of an encoded id. */
    public static final int BYTES = 8;

    /** Big-endian. */
    public byte[] encode() {
        return ByteBuffer.allocate(BYTES).putLong(value).array();
    }

    /**
     * The inverse of {@link #encode}.
     *
     * @throws IllegalArgumentException unless there are {@value #BYTES} bytes
     */
    public static DocumentId decode(byte[] encoded) {
        if (encoded.length != BYTES) {
            throw new IllegalArgumentException("a document's id has " + BYTES + " bytes");
        }
        return new DocumentId(ByteBuffer.wrap(encoded).getLong());
    }

    @Override
    public int compareTo(DocumentId other) {
        return Long.compareUnsigned(value, other.value);
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(value);
    }
}
