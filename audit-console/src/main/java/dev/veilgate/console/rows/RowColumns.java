package dev.veilgate.console.rows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values of the fields of rows, in memory: of each field the rows that have it and the numbers of their values. Eight
 * bytes for a value of a row, and each different value once; where {@link RowMemory} ends, rows are not added any more,
 * and {@link #known} says how many are in it. One writer, any number of readers.
 */
public final class RowColumns implements AutoCloseable {
    /** Fields that are kept: records may have as many as they like. */
    public static final int MOST_FIELDS = 1_000;

    /** Characters of a value; of a longer one the beginning is kept. */
    public static final int MOST_CHARACTERS = 256;

    private static final int MOST_OF_A_ROW = 128;
    private static final int ENTRY_BYTES = 2 * Integer.BYTES;
    /** Bytes that a map entry, a string and a list's element take. */
    private static final int VALUE_BYTES = 140;

    private static final int FIELD_BYTES = 400;

    /**
     * A value of a field.
     *
     * @param field its name
     */
    public record Value(String field, String value) {
        @Override
        public String toString() {
            return "Value[hidden]";
        }
    }

    /** A field's values: {@code rows} is ascending, a row stands in it once for each value. */
    private static final class Field {
        private final String name;
        private final Map<String, Integer> codes = new HashMap<>();
        private final List<String> values = new ArrayList<>();
        private int[] rows = new int[8];
        private int[] coded = new int[8];
        private int size;

        Field(String name) {
            this.name = name;
        }

        /** Bytes that one more takes, at most. */
        long cost(String value) {
            return (codes.containsKey(value) ? 0 : VALUE_BYTES + 2L * value.length())
                    + (size == rows.length ? (long) ENTRY_BYTES * size : 0);
        }

        void add(int row, String value) {
            Integer code = codes.get(value);
            if (code == null) {
                code = values.size();
                codes.put(value, code);
                values.add(value);
            }
            if (size == rows.length) {
                rows = Arrays.copyOf(rows, 2 * size);
                coded = Arrays.copyOf(coded, 2 * size);
            }
            rows[size] = row;
            coded[size++] = code;
        }

        /** Place of the first entry of a row, or where it would be. */
        int place(int row) {
            int low = 0;
            int high = size;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (rows[middle] < row) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low;
        }
    }

    /** A field as it stood at a moment: what is added later is behind {@code size}. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Snapshot(String name, List<String> values, int[] rows, int[] codes, int size) {}

    private final RowMemory memory;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<Field> fields = new ArrayList<>();
    private long taken;
    private int known;
    private boolean isFull;
    private boolean isClosed;

    /** Columns without rows. */
    public RowColumns(RowMemory memory) {
        this.memory = memory;
    }

    /**
     * Adds a row, the next one; nothing if there is no memory for it, or if there was none for one before.
     *
     * @param row    its number; one that was added is not added once more
     * @param values in the order in which they are shown; those that a row has twice count once
     */
    public synchronized void add(int row, List<Value> values) {
        if (isFull || isClosed || row != known) {
            return;
        }
        List<Value> kept = values.stream()
                .map(value -> new Value(value.field(), begin(value.value())))
                .distinct()
                .limit(MOST_OF_A_ROW)
                .toList();
        long cost = 0;
        int room = MOST_FIELDS - fields.size();
        for (Value value : kept) {
            Integer number = numbers.get(value.field());
            cost += number == null
                    ? FIELD_BYTES + VALUE_BYTES + 2L * value.value().length()
                    : fields.get(number).cost(value.value());
        }
        if (!memory.take(cost)) {
            isFull = true;
            return;
        }
        taken += cost;
        for (Value value : kept) {
            Integer number = numbers.get(value.field());
            if (number == null && room-- > 0) {
                number = fields.size();
                numbers.put(value.field(), number);
                fields.add(new Field(value.field()));
            }
            if (number != null) {
                fields.get(number).add(row, value.value());
            }
        }
        known++;
    }

    private static String begin(String value) {
        if (value.length() <= MOST_CHARACTERS) {
            return value;
        }
        int end = Character.isHighSurrogate(value.charAt(MOST_CHARACTERS - 2))
                ? MOST_CHARACTERS - 2
                : MOST_CHARACTERS - 1;
        return value.substring(0, end) + "…";
    }

    /** Number of rows whose values are in memory: the first ones. */
    public synchronized int known() {
        return known;
    }

    /** How many fields there are; their numbers stay. */
    public synchronized int fields() {
        return fields.size();
    }

    /** The number of a field, if any row has it. */
    public synchronized Optional<Integer> number(String field) {
        return Optional.ofNullable(numbers.get(field));
    }

    /** The name of a field; none if there is no such field. */
    public synchronized Optional<String> name(int number) {
        return number < 0 || number >= fields.size() ? Optional.empty() : Optional.of(fields.get(number).name);
    }

    /** The values of a field that a row has; none if it has none, or is not in memory. */
    public synchronized List<String> values(int number, int row) {
        if (number < 0 || number >= fields.size()) {
            return List.of();
        }
        Field field = fields.get(number);
        List<String> values = new ArrayList<>();
        for (int i = field.place(row); i < field.size && field.rows[i] == row; i++) {
            values.add(field.values.get(field.coded[i]));
        }
        return values;
    }

    private synchronized Snapshot snapshot(int number, int before) {
        if (isClosed) { // by who has removed the search meanwhile
            return new Snapshot("", List.of(), new int[0], new int[0], 0);
        }
        Field field = fields.get(number);
        return new Snapshot(field.name, List.copyOf(field.values), field.rows, field.coded, field.place(before));
    }

    /**
     * Ranks of the first rows by their first value of a field; equal values have equal ranks.
     *
     * @param number of a field that there is
     * @return {@link Integer#MAX_VALUE} for a row without a value
     */
    public int[] ranks(int number, int rows, Comparator<String> order) {
        Snapshot field = snapshot(number, rows);
        Integer[] codes = new Integer[field.values.size()];
        Arrays.setAll(codes, i -> i);
        Comparator<Integer> byValue = Comparator.comparing(field.values::get, order);
        Arrays.sort(codes, byValue);
        int[] rankOf = new int[codes.length];
        for (int i = 1, rank = 0; i < codes.length; i++) {
            rankOf[codes[i]] = byValue.compare(codes[i - 1], codes[i]) == 0 ? rank : ++rank;
        }
        int[] ranks = new int[rows];
        Arrays.fill(ranks, Integer.MAX_VALUE);
        for (int i = field.size - 1; i >= 0; i--) { // the first of a row is written last
            ranks[field.rows[i]] = rankOf[field.codes[i]];
        }
        return ranks;
    }

    /**
     * How often each value of a field occurs in the first rows.
     *
     * @param number of a field that there is
     */
    public FieldCounts counts(int number, int rows) {
        Snapshot field = snapshot(number, rows);
        int[] counts = new int[field.values.size()];
        int with = 0;
        for (int i = 0; i < field.size; i++) {
            counts[field.codes[i]]++;
            if (i == 0 || field.rows[i] != field.rows[i - 1]) {
                with++;
            }
        }
        return new FieldCounts(field.name, with, field.values, counts);
    }

    /**
     * The numbers of the values of a field for each of the first rows, one for each row: the first.
     *
     * @return -1 for a row without a value
     */
    public int[] first(int number, int rows) {
        Snapshot field = snapshot(number, rows);
        int[] first = new int[rows];
        Arrays.fill(first, -1);
        for (int i = field.size - 1; i >= 0; i--) {
            first[field.rows[i]] = field.codes[i];
        }
        return first;
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            fields.clear();
            numbers.clear();
            memory.giveBack(taken);
        }
    }
}
