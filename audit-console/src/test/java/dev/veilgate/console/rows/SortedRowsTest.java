package dev.veilgate.console.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Orders of rows, against a plain sort of a list. */
class SortedRowsTest {
    private static final List<String> VALUES = List.of(
            "7", "10", "-3", "1.5", "01", "error", "Error", "a", "ä", "B", "", "10.0.0.7", "7 ", "x".repeat(80));

    private final Random random = new Random(60);
    private final List<Long> times = new ArrayList<>();
    private final List<String> values = new ArrayList<>();
    private final SortedRows sorted = new SortedRows(new SortedRows.Source() {
        @Override
        public long[] times(int rows) {
            return times.stream().limit(rows).mapToLong(Long::longValue).toArray();
        }

        @Override
        public int[] ranks(String column, int rows) {
            return SortedRows.ranks(values.subList(0, rows).toArray(String[]::new), ValueOrder.NATURAL);
        }
    });

    private void add(int rows) {
        for (int i = 0; i < rows; i++) {
            times.add(random.nextLong(-3, 4) * (random.nextBoolean() ? 1 : 1L << 50));
            values.add(random.nextInt(4) == 0 ? null : VALUES.get(random.nextInt(VALUES.size())));
        }
    }

    private int[] plain(SortedRows.By by, int rows) {
        Comparator<Integer> newest =
                Comparator.<Integer>comparingLong(times::get).reversed();
        Comparator<String> direction = by.descending() ? ValueOrder.NATURAL.reversed() : ValueOrder.NATURAL;
        Comparator<Integer> order = by.column().equals(SortedRows.TIME)
                ? by.descending() ? newest : newest.reversed()
                : Comparator.<Integer, String>comparing(values::get, Comparator.nullsLast(direction))
                        .thenComparing(newest);
        return IntStream.range(0, rows)
                .boxed()
                .sorted(order) // stable
                .mapToInt(Integer::intValue)
                .toArray();
    }

    @Test
    void rowsStandAsAPlainSortPutsThemWhileOthersArrive() throws Exception {
        for (int step = 0; step < 300; step++) {
            add(random.nextInt(40));
            int rows = random.nextInt(times.size() + 1);
            for (String column : List.of(SortedRows.TIME, "value")) {
                for (boolean isDescending : new boolean[] {true, false}) {
                    SortedRows.By by = new SortedRows.By(column, isDescending);
                    assertThat(sorted.sorted(by, rows)).as(by + " of " + rows).isEqualTo(plain(by, rows));
                }
            }
        }
    }

    @Test
    void valuesHaveATotalOrder() {
        for (String a : VALUES) {
            for (String b : VALUES) {
                int there = ValueOrder.NATURAL.compare(a, b);
                assertThat(Integer.signum(ValueOrder.NATURAL.compare(b, a)))
                        .as(a + " and " + b)
                        .isEqualTo(-Integer.signum(there));
                for (String c : VALUES) {
                    if (there <= 0 && ValueOrder.NATURAL.compare(b, c) <= 0) {
                        assertThat(ValueOrder.NATURAL.compare(a, c))
                                .as(a + ", " + b + ", " + c)
                                .isNotPositive();
                    }
                }
            }
        }
        List<String> sorted = VALUES.stream().sorted(ValueOrder.NATURAL).toList();
        assertThat(sorted).startsWith("-3", "01", "1.5", "7", "10");
    }

    @Test
    void levelsStandByTheirSeverity() {
        String[] levels = {"warning", "emerg", "what", "DEBUG", "error", "info", "trace", "notice"};
        Arrays.sort(levels, ValueOrder.LEVEL);
        assertThat(levels).containsExactly("trace", "DEBUG", "info", "notice", "warning", "error", "emerg", "what");
    }
}
