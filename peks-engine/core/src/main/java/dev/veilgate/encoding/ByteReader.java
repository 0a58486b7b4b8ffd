package dev.veilgate.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A bounded reader of one canonical encoding. Numbers are big-endian unless a method says otherwise. Every read checks
 * what is left before it allocates; {@link #end()} refuses trailing bytes.
 */
public final class ByteReader {
    private final byte[] bytes;
    private final String what;
    private int at;

    /**
     * @param what  the format's name, for errors
     * @param bytes the encoding; read in place, so the caller must not change it meanwhile
     */
    public ByteReader(String what, byte[] bytes) {
        this.what = what;
        this.bytes = bytes;
    }

    /** What a field is called in errors. */
    public String name(String field) {
        return what + "." + field;
    }

    /** Number of bytes not yet read. */
    public int remaining() {
        return bytes.length - at;
    }

    /** Index of the next byte. */
    public int position() {
        return at;
    }

    /** An unsigned byte, 0 to 255. */
    public int uint8(String field) throws MalformedEncodingException {
        need(field, 1);
        return bytes[at++] & 0xff;
    }

    /** An unsigned byte that must have one value: a version, a tag. */
    public void expect(String field, int value) throws MalformedEncodingException {
        if (uint8(field) != value) {
            throw new MalformedEncodingException(name(field), "must be " + value);
        }
    }

    /** A 32-bit little-endian integer. */
    public int int32LittleEndian(String field) throws MalformedEncodingException {
        need(field, 4);
        int value = ByteBuffer.wrap(bytes, at, 4).order(ByteOrder.LITTLE_ENDIAN).getInt();
        at += 4;
        return value;
    }

    /** The next {@code length} bytes, copied. */
    public byte[] bytes(String field, int length) throws MalformedEncodingException {
        need(field, length);
        byte[] out = Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return out;
    }

    /** Passes over {@code length} bytes and returns the index of the first. */
    public int skip(String field, int length) throws MalformedEncodingException {
        need(field, length);
        int start = at;
        at += length;
        return start;
    }

    /** Well-formed UTF-8 behind its length in one byte. */
    public String shortString(String field) throws MalformedEncodingException {
        int length = uint8(field);
        byte[] utf8 = bytes(field, length);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedEncodingException(name(field), "must be UTF-8");
        }
    }

    /**
     * Fails unless so many bytes of elements are left: before the first of them is decompressed, so that a wrong length costs nothing; nothing may follow them either.
     */
    public void requireLeft(int length) throws MalformedEncodingException {
        if (remaining() != length) {
            throw new MalformedEncodingException(what, length + " bytes of elements, not " + remaining());
        }
    }

    /** Fails if anything is left. */
    public void end() throws MalformedEncodingException {
        if (at != bytes.length) {
            throw new MalformedEncodingException(what, (bytes.length - at) + " trailing bytes are not allowed");
        }
    }

    private void need(String field, int length) throws MalformedEncodingException {
        if (length < 0 || length > bytes.length - at) {
            throw new MalformedEncodingException(
                    name(field), "needs " + length + " bytes, " + (bytes.length - at) + " are left");
        }
    }
}
