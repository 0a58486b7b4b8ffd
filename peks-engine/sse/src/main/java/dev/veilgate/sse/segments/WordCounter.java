package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the words of a document, and of the next one when it is cleared. It makes no object a word. For one thread.
 */
@Secret
public final class WordCounter {
    private static final int MOST_FIELDS = 1 << 12;

    private final WordTable words;
    private final Map<String, byte[]> fields = new HashMap<>(); // in UTF-8
    private final byte[] scratch = new byte[WordBytes.MAX_BYTES];
    private int[] times = new int[1 << 10];
    private String lastField = "";
    private int lastHead;

    /** No words yet. */
    public WordCounter(SecureRandom random) {
        words = new WordTable(random);
    }

    /** Forgets all words. */
    public void clear() {
        Arrays.fill(times, 0, words.size(), 0);
        words.clear();
    }

    /** The number of different words. */
    public int size() {
        return words.size();
    }

    /**
     * Counts a word.
     *
     * @throws IllegalArgumentException if it does not occur at least once
     */
    public void add(Keyword word, int more) {
        if (more < 1) {
            throw new IllegalArgumentException("a document has each of its words at least once");
        }
        count(encode(word), more);
    }

    /** Counts a word once, if it was not counted. */
    public void addIfAbsent(Keyword word) {
        countIfAbsent(encode(word));
    }

    /**
     * Counts a word once, if it was not counted.
     *
     * @param field as for {@link #addAscii}
     * @param value as for that
     * @throws IllegalArgumentException as that
     */
    public void addAsciiIfAbsent(String field, byte[] value, int from, int to) {
        countIfAbsent(encodeAscii(field, value, from, to));
    }

    private void countIfAbsent(int length) {
        int number = number(length);
        if (times[number] == 0) {
            times[number] = 1;
        }
    }

    /**
     * Counts a word once.
     *
     * @param field as {@link Keyword#field} gives it
     * @param value of ASCII, at most {@value Keyword#MAX_VALUE_BYTES} bytes: {@link Keyword#text} leaves it as it is
     * @throws IllegalArgumentException if it is empty or longer
     */
    public void addAscii(String field, byte[] value, int from, int to) {
        count(encodeAscii(field, value, from, to), 1);
    }

    private int encodeAscii(String field, byte[] value, int from, int to) {
        int length = to - from;
        if (length < 1 || length > Keyword.MAX_VALUE_BYTES) {
            throw new IllegalArgumentException("a value has 1 to " + Keyword.MAX_VALUE_BYTES + " bytes");
        }
        head(field, WordBytes.TEXT, 0);
        System.arraycopy(value, from, scratch, lastHead, length);
        return lastHead + length;
    }

    private void count(int length, int more) {
        int number = number(length);
        times[number] = Math.addExact(times[number], more);
    }

    private int number(int length) {
        int number = words.number(scratch, 0, length);
        if (number >= times.length) {
            times = Arrays.copyOf(times, 2 * times.length);
        }
        return number;
    }

    /** {@link WordBytes#of} into the scratch array. */
    private int encode(Keyword word) {
        head(word.field(), word.isInterval() ? WordBytes.INTERVAL : WordBytes.TEXT, word.level());
        byte[] utf8 = ByteWriter.utf8(word.value());
        System.arraycopy(utf8, 0, scratch, lastHead, utf8.length);
        return lastHead + utf8.length;
    }

    /** Writes what is before a value; the field's bytes are there already if it is the last one's. */
    private void head(String field, int type, int level) {
        if (!field.equals(lastField)) {
            byte[] utf8 = fields.get(field);
            if (utf8 == null) {
                utf8 = ByteWriter.utf8(field);
                if (fields.size() >= MOST_FIELDS) {
                    fields.clear();
                }
                fields.put(field, utf8);
            }
            scratch[0] = (byte) utf8.length;
            System.arraycopy(utf8, 0, scratch, 1, utf8.length);
            lastHead = 3 + utf8.length;
            lastField = field;
        }
        scratch[lastHead - 2] = (byte) type;
        scratch[lastHead - 1] = (byte) level;
    }

    /** The words that were counted, which do not change when more are. */
    public WordCounts counts() {
        if (words.size() == 0) {
            return WordCounts.NONE;
        }
        int bytes = 0;
        for (int word = 0; word < words.size(); word++) {
            bytes += Numbers.bytes(times[word]);
        }
        byte[] counts = words.encoded(bytes);
        int at = counts.length - bytes;
        for (int word = 0; word < words.size(); word++) {
            at = Numbers.put(counts, at, times[word]);
        }
        return new WordCounts(counts, counts.length - bytes, words.size());
    }

    /** Shows the number of words only. */
    @Override
    public String toString() {
        return "WordCounter[" + words.size() + " words, hidden]";
    }
}
