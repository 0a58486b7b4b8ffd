package dev.veilgate.sse;

import dev.veilgate.peks.Keyword;
import java.util.Collection;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A document as an archive indexes it: its id, and how often it has each of its words.
 *
 * @param id    never used before in this archive
 * @param words at least one time each
 */
public record Document(DocumentId id, SortedMap<Keyword, Integer> words) {
    /** Most words of a document: more are a mistake, or an attempt to fill an index. */
    public static final int MAX_WORDS = 1 << 20;

    /**
     * Copies.
     *
     * @throws IllegalArgumentException if a word occurs less than once, or there are too many
     */
    public Document {
        words = Collections.unmodifiableSortedMap(new TreeMap<>(words));
        if (words.size() > MAX_WORDS) {
            throw new IllegalArgumentException("a document has at most " + MAX_WORDS + " words");
        }
        if (words.values().stream().anyMatch(times -> times < 1)) {
            throw new IllegalArgumentException("a document has each of its words at least once");
        }
    }

    /** A document of words in their order, which may be repeated. */
    public static Document of(DocumentId id, Collection<Keyword> words) {
        TreeMap<Keyword, Integer> counted = new TreeMap<>();
        words.forEach(word -> counted.merge(word, 1, Integer::sum));
        return new Document(id, counted);
    }

    /** Only the id: words are not for logs. */
    @Override
    public String toString() {
        return "Document[" + id + ", " + words.size() + " words hidden]";
    }
}
