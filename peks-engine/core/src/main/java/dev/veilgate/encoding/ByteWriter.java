package dev.veilgate.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes a canonical encoding, in the forms that {@link ByteReader} reads. */
public final class ByteWriter {
    private byte[] bytes;
    private int length;

    /** @param expectedBytes first capacity; grows as needed */
    public ByteWriter(int expectedBytes) {
        bytes = new byte[Math.max(16, expectedBytes)];
    }

    /** An unsigned byte, 0 to 255. */
    public ByteWriter uint8(int value) {
        if (value < 0 || value > 255) {
            throw new IllegalArgumentException("not an unsigned byte");
        }
        return room(1).put((byte) value);
    }

    /** A 32-bit little-endian integer. */
    public ByteWriter int32LittleEndian(int value) {
        room(4);
        ByteBuffer.wrap(bytes, length, 4).order(ByteOrder.LITTLE_ENDIAN).putInt(value);
        length += 4;
        return this;
    }

    /** A 64-bit big-endian integer. */
    public ByteWriter int64(long value) {
        room(8);
        ByteBuffer.wrap(bytes, length, 8).putLong(value);
        length += 8;
        return this;
    }

    /** Bytes as they are: their length is known from the format. */
    public ByteWriter bytes(byte[] value) {
        room(value.length);
        System.arraycopy(value, 0, bytes, length, value.length);
        length += value.length;
        return this;
    }

    /** Up to 255 bytes behind their length in one byte. */
    public ByteWriter shortBytes(byte[] value) {
        return uint8(value.length).bytes(value);
    }

    /** Up to 255 bytes of UTF-8 behind their length in one byte. */
    public ByteWriter shortString(String value) {
        return shortBytes(utf8(value));
    }

    /** Up to 65,535 bytes behind their length in two bytes. */
    public ByteWriter longBytes(byte[] value) {
        if (value.length > 0xffff) {
            throw new IllegalArgumentException("longer than 65,535 bytes");
        }
        return uint8(value.length >>> 8).uint8(value.length & 0xff).bytes(value);
    }

    /** What was written. */
    public byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }

    /** What was written, which is erased here: for secrets. */
    public byte[] toSecretBytes() {
        byte[] written = toByteArray();
        wipe();
        return written;
    }

    /** Erases what was written: for secrets. Earlier, smaller buffers are not reached, so give the size up front. */
    public void wipe() {
        Arrays.fill(bytes, (byte) 0);
        length = 0;
    }

    /**
     * UTF-8 of a well-formed string.
     *
     * @throws IllegalArgumentException for an unpaired surrogate: it would be written as '?', so that two different
     *     strings had one encoding
     */
    public static byte[] utf8(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i))) {
                return strictUtf8(value);
            }
        }
        return value.getBytes(StandardCharsets.UTF_8); // four times as fast, and nothing can go wrong
    }

    private static byte[] strictUtf8(String value) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            return Arrays.copyOf(encoded.array(), encoded.limit());
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("text contains an unpaired surrogate");
        }
    }

    private ByteWriter put(byte value) {
        bytes[length++] = value;
        return this;
    }

    private ByteWriter room(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
        return this;
    }
}
