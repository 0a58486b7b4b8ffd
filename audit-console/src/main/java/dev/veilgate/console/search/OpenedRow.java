package dev.veilgate.console.search;

import dev.veilgate.console.rows.RowColumns;
import dev.veilgate.console.rows.ValueOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * A row as it was opened, which nobody sees before the issuing log tells of it.
 *
 * @param digest SHA-256 of the envelope that it was found in; zeros if nobody knows that
 * @param brief  its text as a line of a table, by which it is sorted
 * @param values of the fields that a record has
 */
@SuppressWarnings("ArrayRecordComponent")
record OpenedRow(Row row, byte[] digest, String brief, List<RowColumns.Value> values) {
    /** A row of which nothing more is known. */
    static OpenedRow of(Row row, byte[] digest) {
        return new OpenedRow(row, digest, row.text() == null ? "" : row.text(), List.of());
    }

    /** Keeps rows, in order; one that is kept waits no more, so that what fails can be tried again. */
    static void pour(Deque<OpenedRow> waiting, RowSpool spool, RowTable table, JsonMapper json) throws IOException {
        for (OpenedRow next = waiting.peek(); next != null; next = waiting.peek()) {
            Row row = next.row();
            table.add(spool.rows(), row, next.values()); // before it can be seen
            byte[] key = ValueOrder.compared(next.brief()).getBytes(StandardCharsets.UTF_8);
            spool.add(
                    json.writeValueAsBytes(row), next.digest(), key, row.time().toEpochMilli());
            waiting.remove();
        }
    }

    @Override
    public String toString() {
        return "OpenedRow[" + row.row() + ", hidden]";
    }
}
