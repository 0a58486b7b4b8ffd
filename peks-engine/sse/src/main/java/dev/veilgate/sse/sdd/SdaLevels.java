package dev.veilgate.sse.sdd;

import java.util.ArrayList;
import java.util.List;

/**
 * Which parts there are after a number of updates: level i is full where the number has bit i. From {@code from} to
 * {@code to} updates, the highest level that changes becomes full, and the levels below it are merged.
 */
final class SdaLevels {
    private SdaLevels() {}

    /** All parts, the largest and oldest first. */
    static List<Part> parts(int count) {
        return below(count, Integer.SIZE - 1);
    }

    /** Parts that are merged, the oldest first. */
    static List<Part> merged(int from, int to) {
        return below(from, top(from, to));
    }

    /** Parts that are made, the oldest first. */
    static List<Part> made(int from, int to) {
        return below(to, top(from, to) + 1);
    }

    private static List<Part> below(int count, int level) {
        List<Part> parts = new ArrayList<>();
        for (int i = level - 1; i >= 0; i--) {
            if ((count >> i & 1) == 1) {
                parts.add(new Part(i, (count >> i) - 1));
            }
        }
        return parts;
    }

    /** The highest level that changes; -1 if none does. */
    private static int top(int from, int to) {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(from ^ to);
    }
}
