package dev.veilgate.sse.segments;

/**
 * Walks through a list of documents: for each, ascending, the numbers
 *
 * <pre>
 *   2 (number - number before - 1) + (1 if times &gt; 1)    the number before the first is -1
 *   times - 2                                             only if times &gt; 1
 * </pre>
 */
final class PostingCursor {
    private final PageBytes in;
    private long number = -1;
    private int times;

    PostingCursor(byte[] bytes, int at) {
        in = new PageBytes(bytes, at);
    }

    /** Moves to the next document, which the caller knows to be there. */
    void next() {
        long head = in.number();
        number += (head >>> 1) + 1;
        times = (head & 1) == 0 ? 1 : Math.addExact(in.count(), 2);
    }

    /** The number of the document; more than there are if the bytes are no such list. */
    long number() {
        return number;
    }

    /** How often the word occurs in it. */
    int times() {
        return times;
    }

    /** Where the next one stands. */
    int at() {
        return in.at;
    }

    /** Bytes of a document in a list. */
    static int bytes(int before, int number, int times) {
        return Numbers.bytes((long) (number - before - 1) << 1) + (times == 1 ? 0 : Numbers.bytes(times - 2));
    }

    /** Writes a document; returns the place behind it. */
    static int put(byte[] to, int at, int before, int number, int times) {
        int behind = Numbers.put(to, at, (long) (number - before - 1) << 1 | (times == 1 ? 0 : 1));
        return times == 1 ? behind : Numbers.put(to, behind, times - 2);
    }
}
