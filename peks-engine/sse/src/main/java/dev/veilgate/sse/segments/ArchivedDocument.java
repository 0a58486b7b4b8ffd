package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.Sha256;
import java.util.Collections;
import java.util.SortedMap;

/**
 * A document as an archive keeps it.
 *
 * @param name   by which its owner knows it, 1 to {@value #MAX_NAME_BYTES} bytes in UTF-8
 * @param digest of its content, 32 bytes
 * @param parts  how many parts, such as rows, its file has that are documents of their own; else 0
 * @param words  how often each occurs, at least once; the caller leaves the map as it is
 */
public record ArchivedDocument(String name, byte[] digest, long parts, SortedMap<Keyword, Integer> words) {
    /** Most bytes of a name. */
    public static final int MAX_NAME_BYTES = 4096;

    /** Bytes of a digest. */
    public static final int DIGEST_BYTES = Sha256.BYTES;

    /**
     * Copies all but the words.
     *
     * @throws IllegalArgumentException if one of them is not as it should be
     */
    public ArchivedDocument {
        int length = ByteWriter.utf8(name).length;
        if (length == 0 || length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException("a document's name has 1 to " + MAX_NAME_BYTES + " bytes in UTF-8");
        }
        if (digest.length != DIGEST_BYTES || parts < 0) {
            throw new IllegalArgumentException("a digest has 32 bytes, and parts are not negative");
        }
        if (words.size() > Document.MAX_WORDS) {
            throw new IllegalArgumentException("a document has at most " + Document.MAX_WORDS + " words");
        }
        for (int times : words.values()) {
            if (times < 1) {
                throw new IllegalArgumentException("a document has each of its words at least once");
            }
        }
        digest = digest.clone();
        words = Collections.unmodifiableSortedMap(words);
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
