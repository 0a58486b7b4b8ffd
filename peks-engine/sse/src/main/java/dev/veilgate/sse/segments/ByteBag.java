package dev.veilgate.sse.segments;

import java.util.Arrays;

/** Bytes that grow, used again and again. */
final class ByteBag {
    byte[] bytes = new byte[256];
    int length;

    void clear() {
        length = 0;
    }

    /** Makes room. */
    ByteBag room(int more) {
        if (more > bytes.length - length) {
            long wanted = Math.max((long) length + more, 2L * bytes.length);
            if ((long) length + more > Integer.MAX_VALUE - 8) {
                throw new IllegalStateException("a list or its words are too long for memory");
            }
            bytes = Arrays.copyOf(bytes, (int) Math.min(wanted, Integer.MAX_VALUE - 8));
        }
        return this;
    }

    ByteBag number(long value) {
        room(Numbers.MAX_BYTES);
        length = Numbers.put(bytes, length, value);
        return this;
    }

    ByteBag put(byte[] from, int at, int count) {
        room(count);
        System.arraycopy(from, at, bytes, length, count);
        length += count;
        return this;
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, length);
    }
}
