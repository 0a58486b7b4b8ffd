package dev.veilgate.sse.segments;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The words of one document, each with how often it occurs, as bytes: a document of a batch takes
 * one array, not some objects a word. Made by a {@link WordCounter}. Immutable.
 */
@Secret
public final class WordCounts {
    /** No words. */
    public static final WordCounts NONE = new WordCounts(new byte[0], 0, 0);

    private final byte[] bytes; // of each word its length in 2 bytes, and the word; then how often each occurs
    private final int times;
    private final int size;

    /**
     * Words.
     *
     * @param bytes nobody else has them
     * @param times where it begins how often each occurs
     */
    WordCounts(byte[] bytes, int times, int size) {
        this.bytes = bytes;
        this.times = times;
        this.size = size;
    }

    /** The number of different words. */
    public int size() {
        return size;
    }

    /** Bytes of memory, about. */
    public long bytes() {
        return bytes.length;
    }

    /** The words as keywords, in their order. */
    public SortedMap<Keyword, Integer> toMap() {
        SortedMap<Keyword, Integer> map = new TreeMap<>();
        forEach((word, from, length, times) -> map.put(keyword(word, from, length), times));
        return Collections.unmodifiableSortedMap(map);
    }

    private static Keyword keyword(byte[] word, int from, int length) {
        int fieldBytes = word[from] & 0xff;
        int head = from + 1 + fieldBytes;
        String field = new String(word, from + 1, fieldBytes, StandardCharsets.UTF_8);
        String value = new String(word, head + 2, length - fieldBytes - 3, StandardCharsets.UTF_8);
        return word[head] == WordBytes.INTERVAL
                ? Keyword.interval(field, word[head + 1], Long.parseLong(value))
                : Keyword.text(field, value);
    }

    /** Takes words. */
    @FunctionalInterface
    interface Visitor {
        /** A word, as {@link WordBytes} has it, at a place in bytes that nobody changes. */
        void word(byte[] bytes, int from, int length, int times);
    }

    /** Shows all words to a visitor, each once. */
    void forEach(Visitor visitor) {
        PageBytes counts = new PageBytes(bytes, times);
        for (int at = 0; at < times; ) {
            int length = (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
            int from = at + WordTable.LENGTH_BYTES;
            visitor.word(bytes, from, length, counts.count());
            at = from + length;
        }
    }

    /** Shows the number of words only. */
    @Override
    public String toString() {
        return "WordCounts[" + size + " words, hidden]";
    }
}
