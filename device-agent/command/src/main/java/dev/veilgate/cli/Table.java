package dev.veilgate.cli;

import dev.veilgate.terminal.Printable;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.IntStream;

/** Columns for a terminal. */
final class Table {
    private Table() {}

    /** @param rows each of the same length; the first is the heading */
    static void print(PrintStream out, List<List<String>> rows) {
        List<List<String>> printable = rows.stream()
                .map(row -> row.stream().map(Printable::of).toList())
                .toList();
        int[] widths = IntStream.range(0, rows.getFirst().size())
                .map(i -> printable.stream()
                        .mapToInt(row -> row.get(i).length())
                        .max()
                        .orElse(0))
                .toArray();
        for (List<String> row : printable) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).repeat(" ", widths[i] - row.get(i).length() + 2);
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
