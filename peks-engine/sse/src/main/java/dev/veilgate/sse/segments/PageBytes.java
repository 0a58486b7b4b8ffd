package dev.veilgate.sse.segments;

/** Reads what {@link PartWriter} wrote. What cannot have been written ends in an IndexOutOfBoundsException. */
final class PageBytes {
    final byte[] bytes;
    int at;

    PageBytes(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    int next() {
        return bytes[at++] & 0xff;
    }

    long number() {
        byte first = bytes[at++];
        if (first >= 0) {
            return first;
        }
        long value = first & 0x7f;
        for (int shift = 7; ; shift += 7) {
            byte next = bytes[at++];
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
            if (shift > 49) {
                throw new IndexOutOfBoundsException();
            }
        }
    }

    /** A number that is used as a length, an offset or a count. */
    int count() {
        long value = number();
        if (value > Integer.MAX_VALUE) {
            throw new IndexOutOfBoundsException();
        }
        return (int) value;
    }

    long fixed(int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = value << 8 | next();
        }
        return value;
    }
}
