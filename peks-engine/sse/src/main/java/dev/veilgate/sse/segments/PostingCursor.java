package dev.veilgate.sse.segments;

import java.util.Arrays;

/** Walks through a list that {@link PostingEncoder} wrote. What cannot be one ends in an unchecked exception. */
final class PostingCursor {
    private final PageBytes in;
    private final int[] gaps = new int[PostingEncoder.BLOCK];
    private final int[] times = new int[PostingEncoder.BLOCK];
    private int left;
    private int filled;
    private int next;
    private boolean repeated;
    private long number = -1;
    private int timesNow;

    /** @param count of its documents */
    PostingCursor(byte[] bytes, int at, int count) {
        in = new PageBytes(bytes, at);
        left = count;
    }

    /** Moves to the next document, if there is one. */
    boolean next() {
        if (next == filled) {
            next = 0;
            if (fill() == 0) {
                return false;
            }
        }
        number += gaps[next] + 1L;
        timesNow = times[next++];
        return true;
    }

    /** Reads the next documents at once; returns how many, 0 at the end. */
    int fill() {
        repeated = false;
        if (left >= PostingEncoder.BLOCK) {
            block();
            filled = PostingEncoder.BLOCK;
        } else {
            for (filled = 0; filled < left; filled++) {
                long head = in.number();
                gaps[filled] = Math.toIntExact(head >>> 1);
                times[filled] = times((head & 1) != 0);
            }
        }
        left -= filled;
        return filled;
    }

    private int times(boolean more) {
        repeated |= more;
        return more ? Math.addExact(in.count(), 2) : 1;
    }

    private void block() {
        int head = in.next();
        int width = head & ~PostingEncoder.REPEATED;
        if (width >= 32) {
            throw new IndexOutOfBoundsException();
        }
        if (width == head) {
            Arrays.fill(times, 1);
        } else {
            int mask = (int) PostingEncoder.INTS.get(in.bytes, in.at);
            in.at += 4;
            for (int i = 0; i < PostingEncoder.BLOCK; i++) {
                times[i] = times((mask >>> i & 1) != 0);
            }
        }
        unpack(in.bytes, in.at, width);
        in.at += 4 * width;
    }

    private void unpack(byte[] from, int at, int width) {
        long ones = (1L << width) - 1;
        long bits = 0;
        int bitCount = 0;
        for (int i = 0; i < PostingEncoder.BLOCK; i++) {
            if (bitCount < width) {
                bits |= ((int) PostingEncoder.INTS.get(from, at) & 0xffff_ffffL) << bitCount;
                at += 4;
                bitCount += 32;
            }
            gaps[i] = (int) (bits & ones);
            bits >>>= width;
            bitCount -= width;
        }
    }

    /** The gaps of what {@link #fill} read; changes with the next. */
    int[] gaps() {
        return gaps;
    }

    /** The times of what {@link #fill} read; changes with the next. */
    int[] allTimes() {
        return times;
    }

    /** Whether some of these times are more than 1. */
    boolean repeated() {
        return repeated;
    }

    /** The number of the document; more than there are if the bytes are no such list. */
    long number() {
        return number;
    }

    /** How often the word occurs in it. */
    int times() {
        return timesNow;
    }

    /** Where the list ends, behind its last document. */
    int at() {
        return in.at;
    }
}
