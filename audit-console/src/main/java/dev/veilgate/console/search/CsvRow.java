package dev.veilgate.console.search;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rows as records of RFC 4180. */
final class CsvRow {
    /** Names of the columns, in their order: those of a row of the interface. */
    static final List<String> COLUMNS = List.of(
            "row",
            "kind",
            "envelope",
            "ordinal",
            "time",
            "timeSource",
            "sender",
            "proven",
            "sequence",
            "origin",
            "level",
            "text",
            "from",
            "to",
            "why",
            "missing");

    /** What a spreadsheet may take a cell that begins with it for a formula; the apostrophe, so that one can be taken away again. */
    private static final String FORMULA = "=+-@\t\r\n'\uff1d\uff0b\uff0d\uff20";

    private CsvRow() {}

    static String head() {
        return record(COLUMNS.toArray());
    }

    static String of(Row row) {
        return record(
                row.row(),
                row.kind(),
                row.envelope(),
                row.ordinal(),
                row.time(),
                row.timeSource(),
                row.sender(),
                row.proven(),
                row.sequence(),
                row.origin(),
                row.level(),
                row.text(),
                row.from(),
                row.to(),
                row.why(),
                row.missing() == null ? null : String.join(" ", row.missing()));
    }

    private static String record(@Nullable Object... cells) {
        return Arrays.stream(cells).map(CsvRow::cell).collect(Collectors.joining(",", "", "\r\n"));
    }

    static String cell(@Nullable Object value) {
        String text = value == null ? "" : value.toString();
        if (!text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0) {
            text = "'" + text;
        }
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
