package dev.veilgate.console.rows;

import java.util.Arrays;

/** Sorts numbers of rows by an order of their own, stably: merges runs that are in order already. */
final class RowSort {
    /** An order of rows. */
    @FunctionalInterface
    interface Order {
        int compare(int a, int b);
    }

    private RowSort() {}

    /** The rows in order; the given ones are left as they are. */
    static int[] sort(int[] rows, Order order) {
        int[] from = rows.clone();
        int[] to = new int[rows.length];
        int[] ends = runs(from, order);
        while (ends.length > 1) {
            int[] merged = new int[(ends.length + 1) / 2];
            for (int i = 0; i < ends.length; i += 2) {
                int begin = i == 0 ? 0 : ends[i - 1];
                boolean isLast = i + 1 == ends.length;
                int end = isLast ? ends[i] : ends[i + 1];
                merge(from, begin, ends[i], end, to, order);
                merged[i / 2] = end;
            }
            int[] other = from;
            from = to;
            to = other;
            ends = merged;
        }
        return from;
    }

    /** Ends of runs, none of which begins before the row that it would have to follow. */
    private static int[] runs(int[] rows, Order order) {
        int[] ends = new int[16];
        int count = 0;
        for (int i = 1; i <= rows.length; i++) {
            if (i == rows.length || order.compare(rows[i - 1], rows[i]) > 0) {
                if (count == ends.length) {
                    ends = Arrays.copyOf(ends, 2 * count);
                }
                ends[count++] = i;
            }
        }
        return Arrays.copyOf(ends, count);
    }

    private static void merge(int[] from, int begin, int middle, int end, int[] to, Order order) {
        int left = begin;
        int right = middle;
        for (int at = begin; at < end; at++) {
            boolean isLeft = left < middle && (right == end || order.compare(from[left], from[right]) <= 0);
            to[at] = from[isLeft ? left++ : right++];
        }
    }

    /** Merges two ordered lists. */
    static int[] merge(int[] first, int[] second, Order order) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        int[] to = new int[both.length];
        merge(both, 0, first.length, both.length, to, order);
        return to;
    }
}
