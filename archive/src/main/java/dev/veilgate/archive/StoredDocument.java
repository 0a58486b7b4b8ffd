package dev.veilgate.archive;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A document that an archive has, or is about to have or to lose.
 *
 * @param id     by which the server knows it
 * @param name   by which its owner knows it
 * @param digest of its content
 */
public record StoredDocument(DocumentId id, String name, byte[] digest) {
    private static final int MAX_NAME_BYTES = 1 << 16;
    private static final int MAX_DIGEST_BYTES = 64;
    private static final int TEXT = 0;

    /** Copies. */
    public StoredDocument {
        digest = digest.clone();
    }

    @Override
    public byte[] digest() {
        return digest.clone();
    }

    /** Only the id: names are not for logs. */
    @Override
    public String toString() {
        return "StoredDocument[" + id + "]";
    }

    byte[] encode() {
        return new CborWriter(64 + name.length())
                .array(2)
                .text(name)
                .bytes(digest)
                .toByteArray();
    }

    static StoredDocument decode(DocumentId id, byte[] encoded) throws MalformedEncodingException {
        CborReader in = new CborReader("document", encoded);
        if (in.array("document", 2) != 2) {
            throw in.malformed("document", "must have 2 items");
        }
        StoredDocument document =
                new StoredDocument(id, in.text("name", MAX_NAME_BYTES), in.bytes("digest", MAX_DIGEST_BYTES));
        in.end();
        return document;
    }

    /** Words as [[field, 0 or 1 + level of an interval, value, how often], ...]. */
    static byte[] encodeWords(SortedMap<Keyword, Integer> words) {
        CborWriter out = new CborWriter(32 * words.size() + 9).array(words.size());
        for (Map.Entry<Keyword, Integer> each : words.entrySet()) {
            Keyword word = each.getKey();
            out.array(4)
                    .text(word.field())
                    .integer(word.isInterval() ? 1 + word.level() : TEXT)
                    .text(word.value())
                    .integer(each.getValue());
        }
        return out.toByteArray();
    }

    static SortedMap<Keyword, Integer> decodeWords(byte[] encoded) throws MalformedEncodingException {
        CborReader in = new CborReader("words", encoded);
        SortedMap<Keyword, Integer> words = new TreeMap<>();
        for (int left = in.array("words", Document.MAX_WORDS); left > 0; left--) {
            if (in.array("word", 4) != 4) {
                throw in.malformed("word", "must have 4 items");
            }
            String field = in.text("field", Keyword.MAX_FIELD_BYTES);
            int kind = in.uint("kind", 64);
            String value = in.text("value", Keyword.MAX_VALUE_BYTES);
            int times = in.uint("times", Integer.MAX_VALUE);
            try {
                words.put(
                        kind == TEXT
                                ? Keyword.text(field, value)
                                : Keyword.interval(field, kind - 1, Long.parseLong(value)),
                        times);
            } catch (IllegalArgumentException e) {
                throw in.malformed("word", "must be a keyword");
            }
        }
        in.end();
        return words;
    }
}
