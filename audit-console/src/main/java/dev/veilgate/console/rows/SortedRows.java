package dev.veilgate.console.rows;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The rows of a search by any of their columns. An order is of the first rows, as many as are asked for: so it stays
 * while others arrive, and a page of it that was read fits the page that is read next. Rows without a value stand
 * last in either direction; equal ones stand newest first, and those of one time as they were found. The last orders
 * are kept, and what arrives is merged into them. For several threads, one of which sorts at a time.
 */
public final class SortedRows {
    private static final int KEPT = 4;

    /**
     * A column of rows.
     *
     * @param column     its name
     * @param descending greatest first
     */
    public record By(String column, boolean descending) {}

    /** Rows and what they are sorted by. */
    public interface Source {
        /** The time of a row, in milliseconds. */
        long[] times(int rows);

        /**
         * Ranks of the first rows by a column; equal values have equal ranks.
         *
         * @return {@link Integer#MAX_VALUE} for a row without a value
         */
        int[] ranks(String column, int rows) throws IOException;
    }

    /** The column that is a row's time. */
    public static final String TIME = "time";

    @SuppressWarnings("ArrayRecordComponent")
    private record Sorted(By by, int[] rows) {}

    private record Key(By by, int rows) {}

    private final Source source;
    private final Map<Key, Sorted> kept = new LinkedHashMap<>(KEPT, 0.75f, true);

    /** Orders of the rows of a source. */
    public SortedRows(Source source) {
        this.source = source;
    }

    /**
     * The first rows in an order.
     *
     * @param rows how many there are, at most
     * @return their numbers; not to be changed
     */
    public synchronized int[] sorted(By by, int rows) throws IOException {
        Key key = new Key(by, rows);
        Sorted known = kept.get(key);
        if (known == null) {
            known = new Sorted(by, sort(by, rows));
            kept.put(key, known);
            if (kept.size() > KEPT) {
                kept.remove(kept.keySet().iterator().next());
            }
        }
        return known.rows();
    }

    private int[] sort(By by, int rows) throws IOException {
        int[] more = new int[0];
        int[] fewer = new int[0];
        boolean isMoreKnown = false;
        for (Sorted each : kept.values()) {
            if (each.by().equals(by) && each.rows().length > rows) {
                more = each.rows();
                isMoreKnown = true;
            } else if (each.by().equals(by) && each.rows().length > fewer.length) {
                fewer = each.rows();
            }
        }
        if (isMoreKnown) {
            return Arrays.stream(more).filter(row -> row < rows).toArray();
        }
        RowSort.Order order = order(by, rows);
        int[] added = RowSort.sort(IntStream.range(fewer.length, rows).toArray(), order);
        return fewer.length == 0 ? added : RowSort.merge(fewer, added, order);
    }

    private RowSort.Order order(By by, int rows) throws IOException {
        long[] times = source.times(rows);
        RowSort.Order newest = (a, b) -> {
            int byTime = Long.compare(times[b], times[a]);
            return byTime != 0 ? byTime : Integer.compare(a, b);
        };
        if (by.column().equals(TIME)) {
            RowSort.Order oldest = (a, b) -> {
                int byTime = Long.compare(times[a], times[b]);
                return byTime != 0 ? byTime : Integer.compare(a, b);
            };
            return by.descending() ? newest : oldest;
        }
        int[] ranks = source.ranks(by.column(), rows);
        return (a, b) -> {
            int first = ranks[a];
            int second = ranks[b];
            if (first == second) {
                return newest.compare(a, b);
            }
            boolean isEmpty = first == Integer.MAX_VALUE || second == Integer.MAX_VALUE;
            return isEmpty || !by.descending() ? Integer.compare(first, second) : Integer.compare(second, first);
        };
    }

    /**
     * Ranks of values, by their order.
     *
     * @param values null for none
     */
    public static int[] ranks(String[] values, Comparator<String> order) {
        int[] rows = IntStream.range(0, values.length)
                .filter(row -> values[row] != null)
                .toArray();
        int[] sorted = RowSort.sort(rows, (a, b) -> order.compare(values[a], values[b]));
        int[] ranks = new int[values.length];
        Arrays.fill(ranks, Integer.MAX_VALUE);
        for (int i = 0, rank = 0; i < sorted.length; i++) {
            boolean isSame = i > 0 && order.compare(values[sorted[i - 1]], values[sorted[i]]) == 0;
            rank = i == 0 || isSame ? rank : rank + 1;
            ranks[sorted[i]] = rank;
        }
        return ranks;
    }
}
