package dev.veilgate.console.search;

import dev.veilgate.console.rows.FieldCounts;
import dev.veilgate.console.rows.RowColumns;
import dev.veilgate.console.rows.RowMemory;
import dev.veilgate.console.rows.SortedRows;
import dev.veilgate.console.rows.ValueOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The rows of a search as a table: in the order of any column, with the values of their fields. Columns of every row
 * have names ({@link #COLUMNS}); fields of records have numbers, by which requests name them, since names are content.
 */
final class RowTable implements AutoCloseable {
    /** Columns of every row, beside the time, and what they have. */
    private static final Map<String, Function<Row, @Nullable String>> COLUMNS = Map.of(
            "level", Row::level,
            "sender", Row::sender,
            "origin", Row::origin,
            "from", Row::from,
            "to", Row::to,
            "signed", Row::signed);

    private static final String TEXT = "text";
    private static final Pattern FIELD = Pattern.compile("field-(\\d{1,4})");

    private final RowSpool spool;
    private final JsonMapper json;
    /** Values of {@link #COLUMNS}. */
    private final RowColumns facts;
    /** Fields of records. */
    private final RowColumns fields;

    private final SortedRows sorted = new SortedRows(new SortedRows.Source() {
        @Override
        public long[] times(int rows) {
            return spool.times(rows);
        }

        @Override
        public int[] ranks(String column, int rows) throws IOException {
            return RowTable.this.ranks(column, rows);
        }
    });

    RowTable(RowSpool spool, RowMemory memory, JsonMapper json) {
        this.spool = spool;
        this.json = json;
        this.facts = new RowColumns(memory);
        this.fields = new RowColumns(memory);
    }

    /**
     * Adds the next row.
     *
     * @param number of the row; one that was added is not added once more
     */
    void add(int number, Row row, List<RowColumns.Value> values) {
        List<RowColumns.Value> own = new ArrayList<>();
        COLUMNS.forEach((name, value) -> {
            String text = value.apply(row);
            if (text != null) {
                own.add(new RowColumns.Value(name, text));
            }
        });
        facts.add(number, own);
        fields.add(number, values);
    }

    /** Values of the fields of records. */
    RowColumns fields() {
        return fields;
    }

    /** How many of the first rows are in memory with all their values. */
    int known(int rows) {
        return Math.min(rows, Math.min(facts.known(), fields.known()));
    }

    /** Columns whose values can be counted: first those of every row, then the fields. */
    List<String> columns() {
        List<String> columns = new ArrayList<>();
        COLUMNS.keySet().stream()
                .sorted()
                .filter(name -> facts.number(name).isPresent())
                .forEach(columns::add);
        for (int number = 0; number < fields.fields(); number++) {
            if (!fields.name(number).filter(COLUMNS::containsKey).isPresent()) {
                columns.add("field-" + number);
            }
        }
        return columns;
    }

    /**
     * How often the values of a column occur in the first rows.
     *
     * @param rows at most as many as are {@link #known}
     */
    Optional<FieldCounts> counts(String column, int rows) {
        Optional<Integer> field = field(column);
        return field.isPresent()
                ? Optional.of(fields.counts(field.get(), rows))
                : facts.number(column).map(number -> facts.counts(number, rows));
    }

    /**
     * The first rows in an order.
     *
     * @return numbers of rows, not to be changed; null if there is no such column
     */
    int @Nullable [] sorted(SortedRows.By by, int rows) throws IOException {
        boolean isColumn = by.column().equals(SortedRows.TIME)
                || by.column().equals(TEXT)
                || COLUMNS.containsKey(by.column())
                || field(by.column()).isPresent();
        return isColumn ? sorted.sorted(by, rows) : null;
    }

    private int[] ranks(String column, int rows) throws IOException {
        Optional<Integer> field = field(column);
        if (field.isPresent()) {
            return fields.ranks(
                    field.get(), rows, order(fields.name(field.get()).orElse("")));
        }
        String[] values = new String[rows];
        if (column.equals(TEXT)) {
            spool.readKeys(0, rows, (number, key) -> values[number] = new String(key, StandardCharsets.UTF_8));
        } else {
            Optional<Integer> kept = facts.number(column);
            if (kept.isPresent() && facts.known() >= rows) {
                return facts.ranks(kept.get(), rows, order(column));
            }
            Function<Row, @Nullable String> value = Objects.requireNonNull(COLUMNS.get(column));
            spool.read(0, rows, (number, row) -> {
                String whole = value.apply(json.readValue(row, Row.class));
                values[number] = whole == null ? null : ValueOrder.compared(whole);
            });
        }
        return SortedRows.ranks(values, order(column));
    }

    private static Comparator<String> order(String column) {
        return column.equals("level") ? ValueOrder.LEVEL : ValueOrder.NATURAL;
    }

    /** The number of a field that there is. */
    Optional<Integer> field(String column) {
        Matcher name = FIELD.matcher(column);
        return name.matches()
                ? Optional.of(Integer.parseInt(name.group(1))).filter(number -> number < fields.fields())
                : Optional.empty();
    }

    @Override
    public void close() {
        facts.close();
        fields.close();
    }
}
