package dev.veilgate.peks;

import java.util.ArrayList;
import java.util.List;

/**
 * A numeric field that can be searched by range. A number is indexed by all dyadic intervals that contain it, one a level:
 * {@code [i·2^l, (i+1)·2^l)}, l = 0 .. bits; a range is searched by the few intervals that tile it.
 *
 * @param field  the field's name
 * @param origin the smallest number of the field
 * @param bits   numbers are origin to origin + 2^bits - 1; 1 to 62
 */
public record DyadicIntervals(String field, long origin, int bits) {
    /** @throws IllegalArgumentException if bits is out of range or the largest number does not fit a long */
    public DyadicIntervals {
        if (bits < 1 || bits > 62) {
            throw new IllegalArgumentException("bits must be 1 to 62");
        }
        if (origin > Long.MAX_VALUE - ((1L << bits) - 1)) {
            throw new IllegalArgumentException("origin + 2^bits - 1 must fit 64 bits");
        }
    }

    /** The largest number of the field. */
    public long last() {
        return origin + ((1L << bits) - 1);
    }

    /**
     * The bits + 1 keywords under which a number is indexed.
     *
     * @throws IllegalArgumentException outside [origin, last]
     */
    public List<Keyword> keywordsOf(long number) {
        long offset = offset(number);
        List<Keyword> keywords = new ArrayList<>(bits + 1);
        for (int level = 0; level <= bits; level++) {
            keywords.add(interval(level, offset >> level));
        }
        return keywords;
    }

    /**
     * The at most 2·bits keywords whose intervals tile [from, to]: a number is in the range if and only if one of them is among
     * its {@link #keywordsOf}.
     *
     * @throws IllegalArgumentException if from is above to or one is outside [origin, last]
     */
    public List<Keyword> keywordsOfRange(long from, long to) {
        if (from > to) {
            throw new IllegalArgumentException("the range is empty");
        }
        long low = offset(from);
        long end = offset(to) + 1;
        List<Keyword> keywords = new ArrayList<>();
        for (int level = 0; low < end; level++) {
            if ((low & 1) == 1) {
                keywords.add(interval(level, low++));
            }
            if ((end & 1) == 1) {
                keywords.add(interval(level, --end));
            }
            low >>= 1;
            end >>= 1;
        }
        return keywords;
    }

    private long offset(long number) {
        if (number < origin || number > last()) {
            throw new IllegalArgumentException("the number is outside the field's range");
        }
        return number - origin;
    }

    private Keyword interval(int level, long index) {
        return Keyword.interval(field, level, index);
    }
}
