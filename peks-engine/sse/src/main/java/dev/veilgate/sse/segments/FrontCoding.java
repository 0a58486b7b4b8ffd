package dev.veilgate.sse.segments;

import java.util.Arrays;

/**
 * Front coding of byte strings: how many bytes to drop at the end of the string before, and what to append. Both
 * numbers stand in one byte, 4 bits each; 15 means 15 and the number that follows.
 */
final class FrontCoding {
    private static final int MORE = 15;

    private byte[] last = new byte[256];
    private int length;

    /** The next string has none before it. */
    void restart() {
        length = 0;
    }

    /** How many bytes are the same in both. */
    int shared(byte[] from, int begin, int count) {
        int most = Math.min(length, count);
        int differs = Arrays.mismatch(last, 0, most, from, begin, begin + most);
        return differs < 0 ? most : differs;
    }

    /** Bytes that {@link #write} takes. */
    int bytes(int shared, int count) {
        int drop = length - shared;
        int add = count - shared;
        return 1 + (drop < MORE ? 0 : Numbers.bytes(drop - MORE)) + (add < MORE ? 0 : Numbers.bytes(add - MORE)) + add;
    }

    /** Appends a string, which then is the last one. */
    void write(ByteBag out, byte[] from, int begin, int count, int shared) {
        int drop = length - shared;
        int add = count - shared;
        out.room(1).bytes[out.length++] = (byte) (Math.min(drop, MORE) << 4 | Math.min(add, MORE));
        if (drop >= MORE) {
            out.number(drop - MORE);
        }
        if (add >= MORE) {
            out.number(add - MORE);
        }
        out.put(from, begin + shared, add);
        set(from, begin + shared, shared, add);
    }

    /** Reads a string; returns how many bytes it shares with the one before. */
    int read(PageBytes in) {
        int code = in.next();
        int drop = code >> 4;
        int add = code & MORE;
        if (drop == MORE) {
            drop += in.count();
        }
        if (add == MORE) {
            add += in.count();
        }
        int shared = length - drop;
        if (shared < 0 || add > in.bytes.length - in.at || add < 0) {
            throw new IndexOutOfBoundsException();
        }
        set(in.bytes, in.at, shared, add);
        in.at += add;
        return shared;
    }

    private void set(byte[] from, int begin, int shared, int add) {
        if (shared + add > last.length) {
            last = Arrays.copyOf(last, 2 * (shared + add));
        }
        System.arraycopy(from, begin, last, shared, add);
        length = shared + add;
    }

    /** Compares the last strings of both as unsigned bytes. */
    int compare(FrontCoding other) {
        return Arrays.compareUnsigned(last, 0, length, other.last, 0, other.length);
    }

    /** Whether the last string has some bytes at a place. */
    boolean has(int place, byte[] bytes) {
        return place >= 0
                && place + bytes.length <= length
                && Arrays.equals(last, place, place + bytes.length, bytes, 0, bytes.length);
    }

    /** The last string's bytes, in an array that may be longer and changes with the next. */
    byte[] buffer() {
        return last;
    }

    /** The last string's length. */
    int length() {
        return length;
    }

    /** A copy of the last string. */
    byte[] toByteArray() {
        return Arrays.copyOf(last, length);
    }
}
