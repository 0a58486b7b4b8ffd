package dev.veilgate.encoding;

import java.util.Arrays;

/**
 * Writes deterministic CBOR (RFC 8949, section 4.2.1): shortest heads, definite lengths. The caller writes map keys in
 * ascending order of their encodings; integer keys from 0 up, then text keys by length and bytes, are in that order.
 *
 * <p>Only what Veilgate's formats need: integers, byte and text strings, arrays, maps, booleans. No floats, no tags, no null:
 * what is absent is left out.
 */
public final class CborWriter {
    private final ByteWriter out;

    /** @param expectedBytes first capacity; grows as needed */
    public CborWriter(int expectedBytes) {
        out = new ByteWriter(expectedBytes);
    }

    /** An integer. */
    public CborWriter integer(long value) {
        return value >= 0 ? head(0, value) : head(1, ~value);
    }

    /** A byte string. */
    public CborWriter bytes(byte[] value) {
        head(2, value.length);
        out.bytes(value);
        return this;
    }

    /**
     * A text string.
     *
     * @throws IllegalArgumentException for an unpaired surrogate
     */
    public CborWriter text(String value) {
        byte[] utf8 = ByteWriter.utf8(value);
        head(3, utf8.length);
        out.bytes(utf8);
        return this;
    }

    /** The head of an array; {@code size} items follow. */
    public CborWriter array(int size) {
        return head(4, size);
    }

    /** The head of a map; {@code size} pairs follow, keys ascending. */
    public CborWriter map(int size) {
        return head(5, size);
    }

    /** True or false. */
    public CborWriter bool(boolean value) {
        out.uint8(value ? 0xf5 : 0xf4);
        return this;
    }

    /** One item that is encoded already. */
    public CborWriter encoded(byte[] item) {
        out.bytes(item);
        return this;
    }

    /** What was written. */
    public byte[] toByteArray() {
        return out.toByteArray();
    }

    /** Erases what was written: for secrets. Earlier, smaller buffers are not reached, so give the size up front. */
    public void wipe() {
        out.wipe();
    }

    private CborWriter head(int majorType, long argument) {
        int type = majorType << 5;
        if (argument < 24) {
            out.uint8(type | (int) argument);
        } else {
            int log = argument <= 0xff ? 0 : argument <= 0xffff ? 1 : argument <= 0xffff_ffffL ? 2 : 3;
            out.uint8(type | 24 + log);
            for (int shift = (8 << log) - 8; shift >= 0; shift -= 8) {
                out.uint8((int) (argument >>> shift) & 0xff);
            }
        }
        return this;
    }

    /** The order of map keys: bytewise of their encodings. */
    public static int compareKeys(byte[] encodedKey, byte[] other) {
        return Arrays.compareUnsigned(encodedKey, other);
    }
}
