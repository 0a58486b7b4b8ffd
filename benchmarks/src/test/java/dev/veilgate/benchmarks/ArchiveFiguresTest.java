package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program behind the archive's figures runs, and what it compares finds the same. */
class ArchiveFiguresTest {
    @TempDir
    private Path folder;

    @Test
    void archiveAndLuceneFindAsManyLines() throws Exception {
        Path output = folder.resolve("output");
        ArchiveFigures.main(new String[] {folder.resolve("work").toString(), output.toString(), "1000", "2000"});
        List<Map<String, String>> rows = StoredRows.read(output.resolve("archive-searches.csv"));
        assertThat(hits(rows, "archive"))
                .containsEntry("no line", "0")
                .containsEntry("one line", "1")
                .isEqualTo(hits(rows, "archive: the best"))
                .isEqualTo(hits(rows, "archive: numbers alone"));
        assertThat(hits(rows, "Lucene")).isEqualTo(hits(rows, "archive"));
        assertThat(StoredRows.read(output.resolve("archive-indexing.csv")))
                .extracting(row -> row.get("system") + " " + row.get("lines") + " " + row.get("turn"))
                .containsExactly(
                        "archive 1000 1",
                        "Lucene 1000 1",
                        "archive 1000 median",
                        "Lucene 1000 median",
                        "archive 2000 median");
        assertThat(StoredRows.read(output.resolve("archive-parts.csv")))
                .extracting(row -> row.get("part"))
                .contains("dictionary", "lists", "documents");
        assertThat(folder.resolve("work/archive-lines")).doesNotExist();
        assertThat(Files.exists(output.resolve("archive-mails.csv")))
                .isEqualTo(System.getProperty("veilgate.data") != null);
    }

    private static Map<String, String> hits(List<Map<String, String>> rows, String system) {
        Map<String, String> hits = new TreeMap<>();
        for (Map<String, String> row : rows) {
            if (row.get("system").equals(system) && row.get("lines").equals("1000")) {
                hits.put(row.get("ask"), row.get("hits_mean"));
            }
        }
        return hits;
    }
}
