package dev.veilgate.encoding;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads deterministic CBOR (RFC 8949, section 4.2.1) from an untrusted sender. Refused: heads that are not the shortest, indefinite
 * lengths, map keys out of order or twice, text that is not UTF-8, lengths beyond what is left (before anything is allocated), and
 * every type that {@link CborWriter} does not write. So whatever is accepted has one encoding, and its bytes can be compared, hashed and
 * signed.
 *
 * <p>Reading is a walk: the caller asks for what the format has next. {@link #rawItem} passes over one item of any shape, with
 * nesting up to {@link #MAX_DEPTH}, still checking all of the above.
 */
public final class CborReader {
    /** Deepest nesting of {@link #rawItem}. */
    public static final int MAX_DEPTH = 16;

    private final byte[] bytes;
    private final String what;
    private final int end;
    private int at;

    /**
     * @param what  the format's name, for errors
     * @param bytes the encoding; read in place, so the caller must not change it meanwhile
     */
    public CborReader(String what, byte[] bytes) {
        this(what, bytes, 0, bytes.length);
    }

    /** A reader of a part of an array. */
    public CborReader(String what, byte[] bytes, int from, int to) {
        this.what = what;
        this.bytes = bytes;
        this.at = from;
        this.end = to;
    }

    /** Index of the next byte in the array. */
    public int position() {
        return at;
    }

    /** Bytes not yet read. */
    public int remaining() {
        return end - at;
    }

    /** An integer of 0 to {@code max}. */
    public long unsigned(String field, long max) throws MalformedEncodingException {
        long value = head(field, 0, "must be an unsigned integer");
        if (value < 0 || value > max) {
            throw malformed(field, "must be at most " + max);
        }
        return value;
    }

    /** An integer of 0 to {@code max}, for sizes and codes. */
    public int uint(String field, int max) throws MalformedEncodingException {
        return (int) unsigned(field, max);
    }

    /** An integer that fits 64 bits with sign. */
    public long integer(String field) throws MalformedEncodingException {
        int type = at < end ? bytes[at] >> 5 & 7 : -1;
        if (type != 0 && type != 1) {
            throw malformed(field, "must be an integer");
        }
        long argument = head(field, type, "must be an integer");
        if (argument < 0) {
            throw malformed(field, "must fit 64 bits");
        }
        return type == 0 ? argument : ~argument;
    }

    /** A byte string of at most {@code maxBytes}. */
    public byte[] bytes(String field, int maxBytes) throws MalformedEncodingException {
        int length = length(field, 2, maxBytes, "must be a byte string");
        at += length;
        return Arrays.copyOfRange(bytes, at - length, at);
    }

    /** Passes over a byte string of at most {@code maxBytes} and returns its length: it ends at {@link #position}. */
    public int skipBytes(String field, int maxBytes) throws MalformedEncodingException {
        int length = length(field, 2, maxBytes, "must be a byte string");
        at += length;
        return length;
    }

    /** A byte string of exactly {@code length} bytes. */
    public byte[] fixedBytes(String field, int length) throws MalformedEncodingException {
        byte[] value = bytes(field, length);
        if (value.length != length) {
            throw malformed(field, "must have " + length + " bytes");
        }
        return value;
    }

    /** A text string of at most {@code maxBytes} of UTF-8. */
    public String text(String field, int maxBytes) throws MalformedEncodingException {
        int length = length(field, 3, maxBytes, "must be a text string");
        String text = utf8(field, at, length);
        at += length;
        return text;
    }

    /** The size of an array of at most {@code maxItems} items, which follow. */
    public int array(String field, int maxItems) throws MalformedEncodingException {
        return items(field, 4, maxItems, 1, "must be an array");
    }

    /** The size of a map of at most {@code maxPairs} pairs, which follow; read the keys through {@link #mapKeys}. */
    public int map(String field, int maxPairs) throws MalformedEncodingException {
        return items(field, 5, maxPairs, 2, "must be a map");
    }

    /** True or false. */
    public boolean bool(String field) throws MalformedEncodingException {
        need(field, 1);
        int value = bytes[at] & 0xff;
        if (value != 0xf4 && value != 0xf5) {
            throw malformed(field, "must be true or false");
        }
        at++;
        return value == 0xf5;
    }

    /** Whether the next item is a text string: for maps with integer and text keys. */
    public boolean nextIsText() {
        return at < end && (bytes[at] >> 5 & 7) == 3;
    }

    /** Whether the next item is an unsigned integer. */
    public boolean nextIsUnsigned() {
        return at < end && (bytes[at] >> 5 & 7) == 0;
    }

    /** The encoding of one item of any shape, checked and passed over. */
    public byte[] rawItem(String field) throws MalformedEncodingException {
        int from = at;
        pass(field, 0);
        return Arrays.copyOfRange(bytes, from, at);
    }

    /** Checks one item of any shape and passes over it. */
    public void passItem(String field) throws MalformedEncodingException {
        pass(field, 0);
    }

    /** Fails if anything is left. */
    public void end() throws MalformedEncodingException {
        if (at != end) {
            throw new MalformedEncodingException(what, (end - at) + " trailing bytes are not allowed");
        }
    }

    /** An error that names a field of this format. */
    public MalformedEncodingException malformed(String field, String allowed) {
        return new MalformedEncodingException(what + "." + field, allowed);
    }

    /** Checks the order of one map's keys: give it each key's place as it is read. */
    public MapKeys mapKeys(String field) {
        return new MapKeys(field);
    }

    /** The keys of one map. */
    public final class MapKeys {
        private final String field;
        private byte @Nullable [] last;

        private MapKeys(String field) {
            this.field = field;
        }

        /** The next key, an unsigned integer. */
        public int nextInt() throws MalformedEncodingException {
            int from = at;
            int key = uint(field + ".key", Integer.MAX_VALUE);
            ascending(from);
            return key;
        }

        /** The next key, a text string. */
        public String nextText(int maxBytes) throws MalformedEncodingException {
            int from = at;
            String key = text(field + ".key", maxBytes);
            ascending(from);
            return key;
        }

        private void ascending(int from) throws MalformedEncodingException {
            byte[] key = Arrays.copyOfRange(bytes, from, at);
            if (last != null && CborWriter.compareKeys(last, key) >= 0) {
                throw malformed(field, "must have its keys in ascending order, each once");
            }
            last = key;
        }
    }

    private void pass(String field, int depth) throws MalformedEncodingException {
        if (depth > MAX_DEPTH) {
            throw malformed(field, "must be nested at most " + MAX_DEPTH + " deep");
        }
        need(field, 1);
        int type = bytes[at] >> 5 & 7;
        switch (type) {
            case 0, 1 -> integer(field);
            case 2 -> skipBytes(field, Integer.MAX_VALUE);
            case 3 -> {
                int length = length(field, 3, Integer.MAX_VALUE, "must be a text string");
                utf8(field, at, length);
                at += length;
            }
            case 4 -> {
                int size = array(field, Integer.MAX_VALUE);
                for (int i = 0; i < size; i++) {
                    pass(field, depth + 1);
                }
            }
            case 5 -> {
                int size = map(field, Integer.MAX_VALUE);
                MapKeys keys = mapKeys(field);
                for (int i = 0; i < size; i++) {
                    int from = at;
                    pass(field, depth + 1);
                    keys.ascending(from);
                    pass(field, depth + 1);
                }
            }
            case 7 -> bool(field);
            default -> throw malformed(field, "must not be tagged");
        }
    }

    private String utf8(String field, int from, int length) throws MalformedEncodingException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, from, length))
                    .toString();
        } catch (CharacterCodingException e) {
            throw malformed(field, "must be UTF-8");
        }
    }

    private int items(String field, int type, int max, int bytesEach, String allowed)
            throws MalformedEncodingException {
        long size = head(field, type, allowed);
        if (size < 0 || size > max) {
            throw malformed(field, "must have at most " + max + " items");
        }
        if (size > (end - at) / bytesEach) {
            throw malformed(field, "has more items than bytes");
        }
        return (int) size;
    }

    private int length(String field, int type, int max, String allowed) throws MalformedEncodingException {
        long length = head(field, type, allowed);
        if (length < 0 || length > max) {
            throw malformed(field, "must have at most " + max + " bytes");
        }
        need(field, length);
        return (int) length;
    }

    /** The argument of a head of the type; negative for 2^63 and more. */
    private long head(String field, int type, String allowed) throws MalformedEncodingException {
        need(field, 1);
        int first = bytes[at] & 0xff;
        if (first >> 5 != type) {
            throw malformed(field, allowed);
        }
        int info = first & 0x1f;
        if (info < 24) {
            at++;
            return info;
        }
        if (info > 27) {
            throw malformed(field, "must have a definite length");
        }
        int size = 1 << info - 24;
        need(field, 1L + size);
        long argument = 0;
        for (int i = 1; i <= size; i++) {
            argument = argument << 8 | bytes[at + i] & 0xff;
        }
        long least = info == 24 ? 24 : 1L << 8 * size / 2;
        if (Long.compareUnsigned(argument, least) < 0) {
            throw malformed(field, "must be encoded in the shortest form");
        }
        at += 1 + size;
        return argument;
    }

    private void need(String field, long length) throws MalformedEncodingException {
        if (length > end - at) {
            throw malformed(field, "needs " + length + " bytes, " + (end - at) + " are left");
        }
    }
}
