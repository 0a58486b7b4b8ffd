package dev.veilgate.sse.segments;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Words as dictionaries have them: the field behind its length in one byte, the type, the level, and the value to the
 * end; {@link Keyword#encode} without the value's length. Where the value begins follows from the first byte, so
 * different keywords have different bytes; and the bytes of a word begin with those of another of its field, type and
 * level exactly if its value begins with the other's.
 */
public final class WordBytes {
    /** Most bytes of a word. */
    public static final int MAX_BYTES = 3 + Keyword.MAX_FIELD_BYTES + Keyword.MAX_VALUE_BYTES;

    static final int TEXT = 1;
    static final int INTERVAL = 2;

    private WordBytes() {}

    /** The bytes of a word. */
    public static byte[] of(Keyword word) {
        return of(word.field(), word.isInterval() ? INTERVAL : TEXT, word.level(), word.value());
    }

    /**
     * Bytes that all words of a field begin with whose value begins so, and no others.
     *
     * @param field as {@link Keyword#field} gives it
     * @param front as {@link Keyword#value} gives it, or empty for all words of the field
     */
    public static byte[] beginning(String field, String front) {
        return of(field, TEXT, 0, front);
    }

    private static byte[] of(String field, int type, int level, String value) {
        byte[] utf8 = ByteWriter.utf8(value);
        return new ByteWriter(3 + 3 * field.length() + utf8.length)
                .shortString(field)
                .uint8(type)
                .uint8(level)
                .bytes(utf8)
                .toByteArray();
    }

    /** Where the value begins in the bytes of a word. */
    public static int valueStart(byte[] word) {
        return 3 + (word[0] & 0xff);
    }

    /** The value of a word. */
    public static String value(byte[] word) {
        int start = valueStart(word);
        return new String(word, start, word.length - start, StandardCharsets.UTF_8);
    }

    /** Whether the bytes of a word begin with others. */
    public static boolean startsWith(byte[] word, byte[] beginning) {
        return word.length >= beginning.length
                && Arrays.equals(word, 0, beginning.length, beginning, 0, beginning.length);
    }
}
