package dev.veilgate.archive.source;

import dev.veilgate.archive.NewDocument;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Rows of a table: CSV as RFC 4180 has it, with the names of columns in the first row. Between cells stands a comma, a
 * semicolon or a tab, whichever the first row has most of. Row 1 is the one behind the names.
 */
final class CsvRows {
    private CsvRows() {}

    /** A row is a document; one with more or fewer cells than there are names is told as unreadable. */
    static void read(Path file, DocumentFiles.Sink sink) throws IOException {
        BooleanSupplier asRead = FileStamp.of(file);
        String text;
        try {
            text = TextDecoding.decode(DocumentFiles.whole(file));
        } catch (IOException e) {
            sink.unreadable(file.toString(), DocumentFiles.why(e));
            return;
        }
        try (CSVParser parser = parser(text)) {
            read(file, parser.iterator(), asRead, sink);
        }
    }

    /**
     * A row with its columns.
     *
     * @param digest by which it is known
     */
    record Row(byte[] digest, List<String> names, List<String> cells) {}

    /** Some rows of a table, by their numbers; those that it has not, or that are no document, are left out. */
    static Map<Long, Row> rows(Path file, Set<Long> numbers) throws IOException {
        Map<Long, Row> rows = new HashMap<>();
        try (CSVParser parser = parser(TextDecoding.decode(DocumentFiles.whole(file)))) {
            List<String> names = List.of();
            long row = 0;
            for (Iterator<CSVRecord> records = parser.iterator(); rows.size() < numbers.size() && records.hasNext(); ) {
                List<String> cells = records.next().toList();
                if (names.isEmpty()) {
                    names = cells;
                } else if (numbers.contains(++row) && cells.size() == names.size()) {
                    rows.put(row, new Row(digest(names, cells), names, cells));
                }
            }
        } catch (UncheckedIOException e) {
            return rows; // quotes that do not match: those before it were read
        }
        return rows;
    }

    private static CSVParser parser(String text) throws IOException {
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setDelimiter(delimiter(text))
                .setIgnoreEmptyLines(true)
                .get();
        return CSVParser.builder()
                .setReader(new StringReader(text))
                .setFormat(format)
                .get();
    }

    private static void read(Path file, Iterator<CSVRecord> records, BooleanSupplier asRead, DocumentFiles.Sink sink)
            throws IOException {
        long row = 0;
        List<String> names = List.of();
        while (true) {
            CSVRecord record;
            try {
                if (!records.hasNext()) {
                    break;
                }
                record = records.next();
            } catch (UncheckedIOException e) { // the parser cannot go on behind it
                sink.unreadable(
                        file + "#" + (row + 1), "its quotes do not match; this row and those behind it were not read");
                return;
            }
            List<String> cells = record.toList();
            if (names.isEmpty()) {
                names = cells;
                continue;
            }
            row++;
            if (cells.size() == names.size()) {
                sink.document(document(file + "#" + row, names, cells));
            } else {
                sink.unreadable(
                        file + "#" + row,
                        "it has " + cells.size() + " cells, and there are " + names.size() + " columns");
            }
        }
        if (names.isEmpty()) {
            sink.unreadable(file.toString(), "it has no row with the names of columns");
            return;
        }
        sink.endOfFile(file.toString(), row, asRead);
    }

    private static NewDocument document(String name, List<String> names, List<String> cells) {
        long bytes = cells.stream().mapToLong(String::length).sum() + cells.size();
        return new NewDocument(name, digest(names, cells), 0, bytes, words -> {
            for (int i = 0; i < names.size(); i++) {
                words.value(names.get(i), cells.get(i));
            }
        });
    }

    private static byte[] digest(List<String> names, List<String> cells) {
        List<String> all = new ArrayList<>(names);
        all.addAll(cells);
        return ContentDigest.of(all);
    }

    private static char delimiter(String text) {
        String first = text.lines().findFirst().orElse("");
        char best = ',';
        for (char each : new char[] {';', '\t'}) {
            if (count(first, each) > count(first, best)) {
                best = each;
            }
        }
        return best;
    }

    private static long count(String text, char c) {
        return text.chars().filter(each -> each == c).count();
    }
}
