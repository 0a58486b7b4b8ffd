package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Document;

/**
 * A document as an archive keeps it.
 *
 * @param name   by which its owner knows it, 1 to {@value #MAX_NAME_BYTES} bytes in UTF-8
 * @param digest of its content under a key of the archive, {@value #DIGEST_BYTES} bytes: see
 *               {@link SegmentArchive#digest}
 * @param place  of its first byte in the file that it is a part of, below {@value #MAX_PLACE}; else 0
 * @param words  with how often each occurs
 */
@Secret
public record ArchivedDocument(String name, byte[] digest, long place, WordCounts words) {
    /** Most bytes of a name. */
    public static final int MAX_NAME_BYTES = 4096;

    /** Bytes of a digest: it is compared with that of one other document, under a key that nobody else has. */
    public static final int DIGEST_BYTES = 8;

    /** Places are below this. */
    public static final long MAX_PLACE = 1L << 56;

    /**
     * Copies.
     *
     * @throws IllegalArgumentException if one of them is not as it should be
     */
    public ArchivedDocument {
        int length = ByteWriter.utf8(name).length;
        if (length == 0 || length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException("a document's name has 1 to " + MAX_NAME_BYTES + " bytes in UTF-8");
        }
        if (digest.length != DIGEST_BYTES || place < 0 || place >= MAX_PLACE) {
            throw new IllegalArgumentException("a digest has " + DIGEST_BYTES + " bytes, and a place is not negative");
        }
        if (words.size() > Document.MAX_WORDS) {
            throw new IllegalArgumentException("a document has at most " + Document.MAX_WORDS + " words");
        }
        digest = digest.clone();
    }

    @Override
    public byte[] digest() {
        return digest.clone();
    }

    /** Shows the number of words only. */
    @Override
    public String toString() {
        return "ArchivedDocument[" + words.size() + " words, hidden]";
    }
}
