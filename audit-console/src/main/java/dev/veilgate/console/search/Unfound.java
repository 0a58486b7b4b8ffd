package dev.veilgate.console.search;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Numbers of chains in which a search found nothing, to be drawn from evenly. For one thread. */
final class Unfound {
    private final List<Part> parts = new ArrayList<>();
    private long size;

    /** Numbers of one chain, from low to high but for those that were found, ascending. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Part(String sender, long low, long[] found, long size) {
        /** The number with this rank among those that were not found. */
        long at(long rank) {
            int from = 0;
            int to = found.length;
            while (from < to) { // how many that were found stand before it
                int middle = (from + to) >>> 1;
                if (found[middle] - low - middle > rank) {
                    to = middle;
                } else {
                    from = middle + 1;
                }
            }
            return low + rank + from;
        }
    }

    /** A number of a sender's chain. */
    record Place(String sender, long number) {}

    /**
     * Adds numbers of a chain.
     *
     * @param found numbers in which something was found, ascending, each once; others than from low to high are not
     *              looked at
     */
    void add(String sender, long low, long high, long[] found) {
        if (high < low) {
            return;
        }
        long[] within = Arrays.stream(found)
                .filter(number -> number >= low && number <= high)
                .toArray();
        long left = high - low + 1 - within.length;
        parts.add(new Part(sender, low, within, left));
        size = Math.addExact(size, left);
    }

    /** Numbers of chains in which nothing was found. */
    long size() {
        return size;
    }

    /** Different ones, in random order: so many, or all if there are not so many. */
    List<Place> draw(int most, SecureRandom random) {
        int count = (int) Math.min(most, size);
        Set<Long> ranks = HashSet.newHashSet(count);
        for (long last = size - count; last < size; last++) { // Floyd: each set of this size is as probable
            long rank = random.nextLong(last + 1);
            if (!ranks.add(rank)) {
                ranks.add(last);
            }
        }
        List<Long> order = new ArrayList<>(ranks);
        Collections.sort(order);
        Collections.shuffle(order, random);
        return order.stream().map(this::at).toList();
    }

    private Place at(long rank) {
        long left = rank;
        for (Part part : parts) {
            if (left < part.size()) {
                return new Place(part.sender(), part.at(left));
            }
            left -= part.size();
        }
        throw new IllegalArgumentException("there are not so many");
    }
}
