package dev.veilgate.abe.policy;

import dev.veilgate.encoding.ByteReader;
import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.text.Normalizer;
import java.util.Optional;

/**
 * One attribute: what a leaf of a policy asks for, and what a key has. Two are the same if all four parts are.
 *
 * @param name  1 to 100 bytes of UTF-8 in NFC, any characters but control characters
 * @param kind  what the value is
 * @param value 1 to 255 bytes of UTF-8 in NFC, as of the kind
 * @param epoch when it holds, such as {@code 2026-11}: keys of another epoch do not have it. That is how an attribute is taken from somebody: the next epoch's key
 *              is not issued. Up to 100 bytes; empty for always
 */
public record Attribute(String name, Kind kind, String value, String epoch) implements Comparable<Attribute> {
    /** Longest name, and epoch. */
    public static final int MAX_NAME_BYTES = 100;
    /** Longest value. */
    public static final int MAX_VALUE_BYTES = 255;

    /** What a value is; the order is that of the encoding. */
    public enum Kind {
        /** Any text, compared as a whole. */
        TEXT,
        /** An integer from 0 to 2^32 - 1, without leading zeros. */
        INTEGER,
        /** One bit of an integer, {@code place=bit}, place 0 the lowest: of a comparison. */
        INTEGER_BIT,
        /** A day, {@code 2026-11-30}. */
        DATE,
        /** One bit of a day's number: of a comparison. */
        DATE_BIT;

        /** Whether it is a bit of something. */
        boolean isBit() {
            return this == INTEGER_BIT || this == DATE_BIT;
        }
    }

    /** @throws IllegalArgumentException naming the part that cannot be */
    public Attribute {
        name = checked("an attribute's name", name, 1, MAX_NAME_BYTES);
        value = checked("the value of attribute " + name, value, 1, MAX_VALUE_BYTES);
        epoch = checked("the epoch of attribute " + name, epoch, 0, MAX_NAME_BYTES);
        switch (kind) {
            case TEXT -> {}
            case INTEGER, DATE -> Comparison.number(kind, value);
            case INTEGER_BIT, DATE_BIT -> Comparison.requireBit(value);
        }
    }

    private static String checked(String what, String text, int least, int most) {
        String normal = Normalizer.normalize(text, Normalizer.Form.NFC);
        int bytes = ByteWriter.utf8(normal).length;
        if (bytes < least || bytes > most) {
            throw new IllegalArgumentException(what + " has " + bytes + " bytes, not " + least + " to " + most);
        }
        if (normal.codePoints().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(what + " has a control character");
        }
        return normal;
    }

    /** An attribute that always holds. */
    public static Attribute of(String name, String value) {
        return new Attribute(name, Kind.TEXT, value, "");
    }

    /** The same in an epoch; one that has an epoch already keeps it. */
    public Attribute in(String wanted) {
        return epoch.isEmpty() ? new Attribute(name, kind, value, wanted) : this;
    }

    /** What schemes hash: different attributes have different bytes. */
    public byte[] encode() {
        return new ByteWriter(64)
                .uint8(kind.ordinal())
                .shortString(name)
                .shortString(value)
                .shortString(epoch)
                .toByteArray();
    }

    static Attribute read(ByteReader in) throws MalformedEncodingException {
        int kind = in.uint8("attribute kind");
        if (kind >= Kind.values().length) {
            throw new MalformedEncodingException("attribute kind", "0 to 4");
        }
        String name = in.shortString("attribute name");
        String value = in.shortString("attribute value");
        String epoch = in.shortString("attribute epoch");
        Attribute read;
        try {
            read = new Attribute(name, Kind.values()[kind], value, epoch);
        } catch (IllegalArgumentException e) { // which would repeat the text
            throw new MalformedEncodingException(
                    "attribute",
                    "a name of 1 to 100 bytes, a value of 1 to 255, an epoch of up to 100, without control characters; a number or a day as its kind has it");
        }
        if (!read.name.equals(name) || !read.value.equals(value) || !read.epoch.equals(epoch)) {
            throw new MalformedEncodingException("attribute", "text in NFC");
        }
        return read;
    }

    /** As a policy has it: {@code name:value}, {@code name = 3}, in quotes where it must be. */
    @Override
    public String toString() {
        String at = Words.at(epoch);
        return switch (kind) {
            case TEXT -> Words.quoted(name) + ":" + Words.quoted(value) + at;
            case INTEGER, DATE -> Words.quoted(name) + at + " = " + value;
            case INTEGER_BIT, DATE_BIT -> Words.quoted(name) + at + " bit " + value;
        };
    }

    /** By name, kind, value and epoch, texts as Java compares them: by UTF-16 units. */
    @Override
    public int compareTo(Attribute other) {
        int by = name.compareTo(other.name);
        by = by != 0 ? by : kind.compareTo(other.kind);
        by = by != 0 ? by : value.compareTo(other.value);
        return by != 0 ? by : epoch.compareTo(other.epoch);
    }

    /** The epoch, if it has one. */
    public Optional<String> when() {
        return epoch.isEmpty() ? Optional.empty() : Optional.of(epoch);
    }
}
