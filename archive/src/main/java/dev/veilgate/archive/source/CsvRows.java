package dev.veilgate.archive.source;

import dev.veilgate.archive.NewDocument;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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
        String text;
        BooleanSupplier asRead = FileStamp.of(file);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(DocumentFiles.MAX_BYTES + 1);
            if (bytes.length > DocumentFiles.MAX_BYTES) {
                throw new UnreadableException("it has more than " + (DocumentFiles.MAX_BYTES >> 20) + " MiB");
            }
            text = TextDecoding.decode(bytes);
        } catch (IOException e) {
            sink.unreadable(file.toString(), DocumentFiles.why(e));
            return;
        }
        CSVFormat format = CSVFormat.RFC4180
                .builder()
                .setDelimiter(delimiter(text))
                .setIgnoreEmptyLines(true)
                .get();
        try (CSVParser parser = CSVParser.builder()
                .setReader(new StringReader(text))
                .setFormat(format)
                .get()) {
            read(file, parser.iterator(), asRead, sink);
        }
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
        List<String> all = new ArrayList<>(names);
        all.addAll(cells);
        long bytes = cells.stream().mapToLong(String::length).sum() + cells.size();
        return new NewDocument(name, ContentDigest.of(all), 0, bytes, words -> {
            for (int i = 0; i < names.size(); i++) {
                words.value(names.get(i), cells.get(i));
            }
        });
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
