package dev.veilgate.agent.follow;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import java.util.Arrays;

/**
 * Lines of a file that are sealed though one before them is not, since it is a part that waits for the rest of its
 * line. Immutable; places are those of the file's bytes.
 */
public final class SealedRanges {
    static final SealedRanges NONE = new SealedRanges(new long[0]);

    /** Many more than there are: between two of them a line waits. */
    private static final int MOST = 1 << 16;

    /** First byte and behind the last byte by turns, ascending; no two touch. */
    private final long[] ends;

    private SealedRanges(long[] ends) {
        this.ends = ends;
    }

    boolean isEmpty() {
        return ends.length == 0;
    }

    /** Whether all bytes from a place to another are sealed. */
    boolean has(long from, long to) {
        for (int i = 0; i < ends.length; i += 2) {
            if (ends[i] <= from && to <= ends[i + 1]) {
                return true;
            }
        }
        return false;
    }

    /** Ranges with the bytes from a place to another as well. */
    SealedRanges with(long from, long to) {
        long[] more = new long[ends.length + 2];
        long first = from;
        long last = to;
        int count = 0;
        int rest = 0;
        while (rest < ends.length && ends[rest + 1] < from) {
            more[count++] = ends[rest++];
            more[count++] = ends[rest++];
        }
        while (rest < ends.length && ends[rest] <= to) { // touches
            first = Math.min(first, ends[rest++]);
            last = Math.max(last, ends[rest++]);
        }
        more[count++] = first;
        more[count++] = last;
        while (rest < ends.length) {
            more[count++] = ends[rest++];
        }
        return new SealedRanges(Arrays.copyOf(more, count));
    }

    /** Ranges without what is before a place. */
    SealedRanges behind(long place) {
        int from = 0;
        while (from < ends.length && ends[from + 1] <= place) {
            from += 2;
        }
        boolean isAll = from == 0 && (isEmpty() || ends[0] >= place);
        if (isAll) {
            return this;
        }
        long[] rest = Arrays.copyOfRange(ends, from, ends.length);
        if (rest.length > 0) {
            rest[0] = Math.max(rest[0], place);
        }
        return new SealedRanges(rest);
    }

    /** Writes them by their distances, the first one from a place before them. */
    void encode(CborWriter out, long place) {
        out.array(ends.length);
        long before = place;
        for (long end : ends) {
            out.integer(end - before);
            before = end;
        }
    }

    static SealedRanges decode(CborReader in, long place) throws MalformedEncodingException {
        long[] ends = new long[in.array("sealed-ranges", 2 * MOST)];
        long before = place;
        for (int i = 0; i < ends.length; i++) {
            before = Math.addExact(before, in.unsigned("distance", Long.MAX_VALUE - before));
            ends[i] = before;
        }
        if (ends.length % 2 != 0) {
            throw in.malformed("sealed-ranges", "must have two ends each");
        }
        return new SealedRanges(ends);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SealedRanges that && Arrays.equals(ends, that.ends);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(ends);
    }

    @Override
    public String toString() {
        return Arrays.toString(ends);
    }
}
