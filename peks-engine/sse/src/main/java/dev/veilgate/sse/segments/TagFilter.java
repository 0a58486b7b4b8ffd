package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;

/**
 * Tells of most tags that a segment has them not, without reading a page: a bit for each of the ranges into which tags
 * are divided, of which 8 to 16 times as many are as tags, or 2^27.
 */
@Secret
final class TagFilter {
    private static final int MOST_LOG = 27; // 16 MiB
    private static final int FEWEST_LOG = 6;
    private static final int RANGES_LOG = 3; // ranges a tag, at least

    private final long[] bits;
    private final int shift;

    /** @param tags how many will be added */
    TagFilter(int tags) {
        int log = Math.clamp(32 - Integer.numberOfLeadingZeros(tags) + RANGES_LOG, FEWEST_LOG, MOST_LOG);
        bits = new long[1 << log - 6];
        shift = Integer.SIZE - log;
    }

    void add(int tag) {
        int range = tag >>> shift;
        bits[range >>> 6] |= 1L << range;
    }

    /** False if it was not added; mostly. */
    boolean mayHave(int tag) {
        int range = tag >>> shift;
        return (bits[range >>> 6] & 1L << range) != 0;
    }
}
