package dev.veilgate.console.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Values of rows in memory, against lists of them. */
class RowColumnsTest {
    private static final int MUCH = 1 << 26;

    private static RowColumns.Value value(String field, String value) {
        return new RowColumns.Value(field, value);
    }

    @Test
    void countsAreThoseOfTheRowsThatHaveAValue() {
        Random random = new Random(60);
        RowColumns columns = new RowColumns(new RowMemory(MUCH));
        List<Map<String, Set<String>>> rows = new ArrayList<>();
        for (int row = 0; row < 3_000; row++) {
            Map<String, Set<String>> fields = new HashMap<>();
            List<RowColumns.Value> values = new ArrayList<>();
            for (int i = random.nextInt(6); i > 0; i--) {
                RowColumns.Value one = value("f" + random.nextInt(5), Integer.toString(random.nextInt(30)));
                values.add(one);
                fields.computeIfAbsent(one.field(), _ -> new LinkedHashSet<>()).add(one.value());
            }
            columns.add(row, values);
            rows.add(fields);
        }
        assertThat(columns.known()).isEqualTo(3_000);
        for (int number = 0; number < columns.fields(); number++) {
            String name = columns.name(number).orElseThrow();
            assertThat(columns.number(name)).contains(number);
            for (int first : new int[] {0, 1, 1_777, 3_000}) {
                FieldCounts counts = columns.counts(number, first);
                Map<String, Integer> expected = new HashMap<>();
                int with = 0;
                for (Map<String, Set<String>> fields : rows.subList(0, first)) {
                    Set<String> own = fields.getOrDefault(name, Set.of());
                    own.forEach(each -> expected.merge(each, 1, Integer::sum));
                    with += own.isEmpty() ? 0 : 1;
                }
                assertThat(counts.rows()).isEqualTo(with);
                assertThat(counts.distinct()).isEqualTo(expected.size());
                Map<String, Integer> top = new HashMap<>();
                counts.top(100).forEach(count -> top.put(count.value(), count.rows()));
                assertThat(top).isEqualTo(expected);
                assertThat(counts.top(3))
                        .isEqualTo(counts.top(100).stream().limit(3).toList());
            }
            for (int row : new int[] {0, 17, 2_999}) {
                assertThat(columns.values(number, row))
                        .containsExactlyElementsOf(rows.get(row).getOrDefault(name, Set.of()));
            }
        }
    }

    @Test
    void numbersHaveLeastMiddleAndGreatest() {
        RowColumns columns = new RowColumns(new RowMemory(MUCH));
        List<String> values = List.of("10", "9", "-1", "9", "100");
        for (int row = 0; row < values.size(); row++) {
            columns.add(row, List.of(value("size", values.get(row)), value("name", row == 0 ? "x" : "7")));
        }
        assertThat(columns.counts(0, 5).numbers()).contains(new FieldCounts.Numbers("-1", "9", "100"));
        assertThat(columns.counts(0, 1).numbers()).as("of one value").isEmpty();
        assertThat(columns.counts(1, 5).numbers()).as("of a word among them").isEmpty();
    }

    @Test
    void rowsForWhichThereIsNoMemoryAreNotKnown() {
        RowMemory memory = new RowMemory(200_000);
        RowColumns columns = new RowColumns(memory);
        for (int row = 0; row < 10_000; row++) {
            columns.add(row, List.of(value("id", "value " + row)));
        }
        int known = columns.known();
        assertThat(known).isBetween(500, 2_000);
        assertThat(columns.counts(0, known).rows()).isEqualTo(known);
        assertThat(columns.ranks(0, 10_000, ValueOrder.NATURAL)[known]).isEqualTo(Integer.MAX_VALUE);
        assertThat(memory.taken()).isBetween(1L, 200_000L);
        columns.close();
        assertThat(memory.taken()).isZero();
    }

    @Test
    void recordsOfEndlesslyManyFieldsTakeABoundedPlace() {
        RowColumns columns = new RowColumns(new RowMemory(MUCH));
        for (int row = 0; row < 2_000; row++) {
            columns.add(row, List.of(value("f" + row, "x".repeat(10_000)), value("f0", "y")));
        }
        assertThat(columns.fields()).isEqualTo(RowColumns.MOST_FIELDS);
        assertThat(columns.known()).isEqualTo(2_000);
        assertThat(columns.counts(0, 2_000).rows()).isEqualTo(2_000);
        assertThat(columns.values(0, 0).getFirst())
                .hasSize(RowColumns.MOST_CHARACTERS)
                .endsWith("…");
    }

    @Test
    void aRowThatIsAddedTwiceCountsOnce() {
        RowColumns columns = new RowColumns(new RowMemory(MUCH));
        columns.add(0, List.of(value("a", "1")));
        columns.add(0, List.of(value("a", "1")));
        columns.add(1, List.of());
        columns.add(2, List.of(value("a", "2")));
        assertThat(columns.counts(0, 3).rows()).isEqualTo(2);
        assertThat(columns.first(0, 3)).containsExactly(0, -1, 1);
    }
}
