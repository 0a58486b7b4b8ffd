package dev.veilgate.sse.segments;

/** Numbers of few bytes: groups of 7 bits, the lowest first, all but the last with bit 7 set. */
final class Numbers {
    /** Most bytes of a number that is not negative. */
    static final int MAX_BYTES = 9;

    private Numbers() {}

    /** Writes a number of 0 or more; returns the place behind it. */
    static int put(byte[] to, int at, long value) {
        while (value > 0x7f) {
            to[at++] = (byte) (value | 0x80);
            value >>>= 7;
        }
        to[at++] = (byte) value;
        return at;
    }

    /** Bytes of a number. */
    static int bytes(long value) {
        return value < 0x80 ? 1 : (70 - Long.numberOfLeadingZeros(value)) / 7;
    }
}
