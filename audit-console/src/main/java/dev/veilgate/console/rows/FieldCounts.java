package dev.veilgate.console.rows;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.stream.IntStream;

/** Values of one field of a search's rows, each with the number of rows that have it. */
public final class FieldCounts {
    /**
     * A value.
     *
     * @param rows that have it
     */
    public record Count(String value, int rows) {
        @Override
        public String toString() {
            return "Count[hidden]";
        }
    }

    /**
     * Least, middle and greatest of numbers. The middle is the lower one where there are two.
     *
     * @param minimum as it is written
     */
    public record Numbers(String minimum, String median, String maximum) {
        @Override
        public String toString() {
            return "Numbers[hidden]";
        }
    }

    private static final Comparator<Count> FIRST =
            Comparator.comparingInt(Count::rows).reversed().thenComparing(Count::value, ValueOrder.NATURAL);

    private final String name;
    private final int rows;
    private final List<String> values;
    private final int[] counts;

    FieldCounts(String name, int rows, List<String> values, int[] counts) {
        this.name = name;
        this.rows = rows;
        this.values = values;
        this.counts = counts;
    }

    /** The field. */
    public String name() {
        return name;
    }

    /** Rows that have a value of it. */
    public int rows() {
        return rows;
    }

    /** Different values. */
    public int distinct() {
        return (int) Arrays.stream(counts).filter(count -> count > 0).count();
    }

    /** Values that most rows have, of equal ones the first in {@link ValueOrder#NATURAL}. */
    public List<Count> top(int most) {
        Queue<Count> top = new PriorityQueue<>(FIRST.reversed());
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                top.add(new Count(values.get(i), counts[i]));
                if (top.size() > most) {
                    top.remove();
                }
            }
        }
        return top.stream().sorted(FIRST).toList();
    }

    /** Least, middle and greatest value if all are numbers, and there are two at least. */
    public Optional<Numbers> numbers() {
        List<Count> all = IntStream.range(0, counts.length)
                .filter(i -> counts[i] > 0)
                .mapToObj(i -> new Count(values.get(i), counts[i]))
                .toList();
        if (all.size() < 2 || !all.stream().allMatch(count -> ValueOrder.isNumber(count.value()))) {
            return Optional.empty();
        }
        List<Count> sorted = all.stream()
                .sorted(Comparator.comparing(Count::value, ValueOrder.NATURAL))
                .toList();
        long total = sorted.stream().mapToLong(Count::rows).sum();
        long before = 0;
        for (Count count : sorted) {
            before += count.rows();
            if (2 * before >= total) {
                return Optional.of(new Numbers(
                        sorted.getFirst().value(),
                        count.value(),
                        sorted.getLast().value()));
            }
        }
        throw new IllegalStateException("no value is in the middle");
    }

    @Override
    public String toString() {
        return "FieldCounts[hidden]";
    }
}
