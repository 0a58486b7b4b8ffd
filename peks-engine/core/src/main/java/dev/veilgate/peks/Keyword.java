package dev.veilgate.peks;

import dev.veilgate.encoding.ByteWriter;
import java.text.Normalizer;

/**
 * One keyword of a message: a field and a value, {@code level:error}, or an interval of a numeric field ({@link
 * DyadicIntervals}). The value is brought to Unicode NFKC; case and stemming are the extractor's business.
 *
 * <p>Ordered by field, type, level and value, so that a hash map stays fast when a sender of records chooses words that
 * collide.
 *
 * <p>Never printed: {@link #toString} hides it.
 */
public final class Keyword implements Comparable<Keyword> {
    /** Most bytes of a field's name in UTF-8. */
    public static final int MAX_FIELD_BYTES = 255;

    /** Most bytes of a value in UTF-8. */
    public static final int MAX_VALUE_BYTES = 4096;

    /** What a value is; part of what is hashed, so that the word "7" and the number 7 differ. */
    enum Type {
        TEXT(1),
        INTERVAL(2);

        final int code;

        Type(int code) {
            this.code = code;
        }
    }

    private final String field;
    private final Type type;
    private final int level;
    private final String value;
    private final int hash;

    Keyword(String field, Type type, int level, String value) {
        this.field = checked(field, "field", MAX_FIELD_BYTES);
        this.type = type;
        this.level = level;
        this.value = checked(value, "value", MAX_VALUE_BYTES);
        this.hash = 31 * (31 * (31 * this.field.hashCode() + type.code) + level) + this.value.hashCode();
    }

    /**
     * A word of a field.
     *
     * @throws IllegalArgumentException if one is empty, too long in UTF-8, or has an unpaired surrogate
     */
    public static Keyword text(String field, String value) {
        return new Keyword(field, Type.TEXT, 0, value);
    }

    /**
     * The interval of the numbers from {@code index * 2^level} on, 2^level of them, counted from the field's first
     * ({@link DyadicIntervals}).
     *
     * @param level 0 to 63
     * @param index not negative
     * @throws IllegalArgumentException if one cannot be
     */
    public static Keyword interval(String field, int level, long index) {
        if (level < 0 || level > 63 || index < 0) {
            throw new IllegalArgumentException("an interval has a level of 0 to 63 and an index that is not negative");
        }
        return new Keyword(field, Type.INTERVAL, level, Long.toString(index));
    }

    private static String checked(String text, String what, int maxBytes) {
        if (!text.isEmpty() && text.length() <= maxBytes && isAscii(text)) {
            return text; // NFKC already, one byte a character
        }
        String normal = Normalizer.normalize(text, Normalizer.Form.NFKC);
        int length = ByteWriter.utf8(normal).length;
        if (length == 0 || length > maxBytes) {
            throw new IllegalArgumentException("a keyword's " + what + " has 1 to " + maxBytes + " bytes in UTF-8");
        }
        return normal;
    }

    private static boolean isAscii(String text) {
        int seen = 0;
        for (int i = 0; i < text.length(); i++) {
            seen |= text.charAt(i);
        }
        return seen < 0x80;
    }

    /** The field's name. */
    public String field() {
        return field;
    }

    /** The normalised value; for an interval its index in decimal. */
    public String value() {
        return value;
    }

    /** 0, or for an interval of 2^level numbers that level. */
    public int level() {
        return level;
    }

    /** Whether it is an interval of a numeric field, whose value is not what people write. */
    public boolean isInterval() {
        return type == Type.INTERVAL;
    }

    /**
     * Canonical encoding: field behind its length, type, level, value behind its length. Different keywords have
     * different ones, and none begins another.
     */
    public byte[] encode() {
        ByteWriter out = new ByteWriter(16 + field.length() + value.length());
        encode(out);
        return out.toByteArray();
    }

    /** Appends {@link #encode()}. */
    public void encode(ByteWriter out) {
        out.shortString(field).uint8(type.code).uint8(level).longBytes(ByteWriter.utf8(value));
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Keyword that
                        && hash == that.hash
                        && field.equals(that.field)
                        && type == that.type
                        && level == that.level
                        && value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public int compareTo(Keyword that) {
        int order = field.compareTo(that.field);
        order = order != 0 ? order : type.compareTo(that.type);
        order = order != 0 ? order : Integer.compare(level, that.level);
        return order != 0 ? order : value.compareTo(that.value);
    }

    @Override
    public String toString() {
        return "Keyword[hidden]";
    }
}
