package dev.veilgate.sse.segments;

/** Walks through a list that {@link PostingEncoder} wrote. What cannot be one ends in an unchecked exception. */
final class PostingCursor {
    private final PageBytes in;
    private final int[] gaps = new int[PostingEncoder.BLOCK];
    private final int[] times = new int[PostingEncoder.BLOCK];
    private int left;
    private int next = PostingEncoder.BLOCK;
    private long number = -1;
    private int timesNow;

    /** @param count of its documents */
    PostingCursor(byte[] bytes, int at, int count) {
        in = new PageBytes(bytes, at);
        left = count;
    }

    /** Moves to the next document, if there is one. */
    boolean next() {
        if (next < PostingEncoder.BLOCK) {
            number += gaps[next] + 1L;
            timesNow = times[next++];
            return true;
        }
        if (left >= PostingEncoder.BLOCK) {
            block();
            left -= PostingEncoder.BLOCK;
            number += gaps[0] + 1L;
            timesNow = times[0];
            next = 1;
            return true;
        }
        if (left == 0) {
            return false;
        }
        left--;
        long head = in.number();
        number += (head >>> 1) + 1;
        timesNow = (head & 1) == 0 ? 1 : Math.addExact(in.count(), 2);
        return true;
    }

    private void block() {
        int head = in.next();
        int width = head & ~PostingEncoder.REPEATED;
        int mask = 0;
        if (width != head) {
            mask = (int) PostingEncoder.INTS.get(in.bytes, in.at);
            in.at += 4;
        }
        for (int i = 0; i < PostingEncoder.BLOCK; i++) {
            times[i] = (mask >>> i & 1) == 0 ? 1 : Math.addExact(in.count(), 2);
        }
        if (width >= 32) {
            throw new IndexOutOfBoundsException();
        }
        long ones = (1L << width) - 1;
        long bits = 0;
        int filled = 0;
        for (int i = 0; i < PostingEncoder.BLOCK; i++) {
            if (filled < width) {
                bits |= ((int) PostingEncoder.INTS.get(in.bytes, in.at) & 0xffff_ffffL) << filled;
                in.at += 4;
                filled += 32;
            }
            gaps[i] = (int) (bits & ones);
            bits >>>= width;
            filled -= width;
        }
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
