package dev.veilgate.sse.aura;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The Bloom filter of deleted tags: h places for each tag, which are all different, among b.
 *
 * <pre>
 *   b = -h d / ln(1 - p^(1/h))      so that of d deleted tags, p of the others have all places taken
 * </pre>
 *
 * <p>At most {@value #MAX_SIZE}: where the formula gives more, more of the others are taken for deleted, and asked for.
 *
 * @param places of a tag, h
 * @param size   of the filter, b
 */
record TagFilter(int places, int size) {
    /** Most places of a tag. */
    static final int MAX_PLACES = 32;

    /** Most bits of a filter: a server lists as many leaves of 16 bytes for each search. */
    static final int MAX_SIZE = 1 << 24;

    /**
     * For so many deletions.
     *
     * @param rarity 1/p
     */
    static TagFilter of(int places, long deletions, long rarity) {
        double share = Math.pow(1.0 / rarity, 1.0 / places);
        double size = Math.ceil(-places * deletions / Math.log1p(-share));
        return new TagFilter(places, (int) Math.clamp(size, places, MAX_SIZE));
    }

    /**
     * The places of a tag, in the order in which they are found. Tags are pseudorandom, so that no more is hashed.
     *
     * @param tags with the tag at {@code at}, 16 bytes
     */
    int[] of(byte[] tags, int at) {
        int[] found = new int[places];
        find(tags, at, null, found);
        return found;
    }

    private static boolean contains(int[] places, int count, int place) {
        for (int i = 0; i < count; i++) {
            if (places[i] == place) {
                return true;
            }
        }
        return false;
    }

    /** A permutation of 64 bits that spreads each bit over all: the finalizer of SplitMix64. */
    private static long mixed(long x) {
        long y = (x ^ x >>> 30) * 0xbf58476d1ce4e5b9L;
        y = (y ^ y >>> 27) * 0x94d049bb133111ebL;
        return y ^ y >>> 31;
    }

    /**
     * Finds a tag's places up to the first that is not taken.
     *
     * @param found has room for all places; gets those that were found
     * @return the number of the first that is not taken; -1 if all are
     */
    int firstFree(byte[] tags, int at, BitSet taken, int[] found) {
        return find(tags, at, taken, found);
    }

    private int find(byte[] tags, int at, @Nullable BitSet taken, int[] found) {
        ByteBuffer in = ByteBuffer.wrap(tags);
        long step = in.getLong(at + Long.BYTES) | 1;
        int count = 0;
        for (long x = in.getLong(at); count < places; x += step) {
            int place = (int) Math.unsignedMultiplyHigh(mixed(x), size);
            if (!contains(found, count, place)) {
                found[count] = place;
                if (taken != null && !taken.get(place)) {
                    return count;
                }
                count++;
            }
        }
        return -1;
    }

    /** Takes the places of tags, which stand one after the other. */
    BitSet taking(byte[] tags) {
        BitSet taken = new BitSet();
        for (int at = 0; at < tags.length; at += Aura.TAG_BYTES) {
            Arrays.stream(of(tags, at)).forEach(taken::set);
        }
        return taken;
    }
}
