package dev.veilgate.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rows of one kind of figures, for a file of comma separated values. */
final class SseTable {
    private final List<String> rows = new ArrayList<>();

    SseTable(String... columns) {
        rows.add(String.join(",", columns));
    }

    /** Adds a row; numbers with a fraction get four figures after the point. */
    void add(Object... cells) {
        rows.add(Stream.of(cells)
                .map(cell -> cell instanceof Double number
                        ? number.isNaN() ? "" : String.format(Locale.ROOT, "%.4f", number)
                        : String.valueOf(cell))
                .collect(Collectors.joining(",")));
    }

    List<String> lines() {
        return rows;
    }

    /** The cells of a row, without the head. */
    List<String[]> cells() {
        return rows.stream().skip(1).map(row -> row.split(",", -1)).toList();
    }
}
