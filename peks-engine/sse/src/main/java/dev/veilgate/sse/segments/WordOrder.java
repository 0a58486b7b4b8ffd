package dev.veilgate.sse.segments;

import java.util.Arrays;

/**
 * Sorts the words of a table by their bytes: quicksort by 8 bytes at a time, three ways, so that shared beginnings are
 * passed over once.
 */
final class WordOrder {
    private static final int SMALL = 16;

    private final WordTable table;
    private final int[] words;
    private final long[] next;
    private int state;

    private WordOrder(WordTable table) {
        this.table = table;
        this.words = new int[table.size()];
        this.next = new long[table.size()];
        this.state = table.size() | 1;
    }

    /** The numbers of all words, ascending by the words' bytes as unsigned numbers. */
    static int[] of(WordTable table) {
        WordOrder order = new WordOrder(table);
        Arrays.setAll(order.words, i -> i);
        order.sort(0, order.words.length, 0);
        return order.words;
    }

    /** Sorts words that have the same bytes before {@code depth}, and all of these. */
    private void sort(int from, int to, int depth) {
        for (int i = from; i < to; i++) {
            next[i] = next(words[i], depth);
        }
        partition(from, to, depth);
    }

    private void partition(int from, int to, int depth) {
        while (to - from > SMALL) {
            state = state * 1_103_515_245 + 12_345;
            long pivot = next[from + (int) ((state >>> 1 & 0x7fff_ffffL) * (to - from) >>> 31)];
            int less = from;
            int more = to;
            for (int i = from; i < more; ) {
                if (next[i] < pivot) {
                    swap(less++, i++);
                } else if (next[i] > pivot) {
                    swap(i, --more);
                } else {
                    i++;
                }
            }
            equal(less, more, depth);
            if (less - from < to - more) { // the smaller one by recursion, so that the stack stays low
                partition(from, less, depth);
                from = more;
            } else {
                partition(more, to, depth);
                to = less;
            }
        }
        insert(from, to);
    }

    /** Sorts words whose next 8 bytes are the same, with zeros behind those that end before. */
    private void equal(int from, int to, int depth) {
        int longer = to;
        for (int i = from; i < longer; ) {
            if (table.length(words[i]) <= depth + 8) {
                i++;
            } else {
                swap(i, --longer);
            }
        }
        insert(from, longer); // at most 9 of them
        if (to - longer > 1) {
            sort(longer, to, depth + 8);
        }
    }

    private void insert(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int word = words[i];
            long key = next[i];
            int at = i;
            for (; at > from && (key < next[at - 1] || key == next[at - 1] && compare(word, words[at - 1]) < 0); at--) {
                words[at] = words[at - 1];
                next[at] = next[at - 1];
            }
            words[at] = word;
            next[at] = key;
        }
    }

    private void swap(int i, int j) {
        int word = words[i];
        words[i] = words[j];
        words[j] = word;
        long key = next[i];
        next[i] = next[j];
        next[j] = key;
    }

    private int compare(int word, int other) {
        byte[] bytes = table.bytes();
        int a = table.place(word);
        int b = table.place(other);
        return Arrays.compareUnsigned(bytes, a, a + table.length(word), bytes, b, b + table.length(other));
    }

    /** The 8 bytes from a place on, zeros behind the end, in the order of signed numbers. */
    private long next(int word, int depth) {
        int left = table.length(word) - depth;
        long value = 0;
        for (int i = 0; i < 8; i++) {
            value = value << 8 | (i < left ? table.bytes()[table.place(word) + depth + i] & 0xff : 0);
        }
        return value ^ Long.MIN_VALUE;
    }
}
