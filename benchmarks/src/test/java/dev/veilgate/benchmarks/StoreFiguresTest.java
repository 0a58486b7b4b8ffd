package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs behind the store's figures run, on little data, and find in each search what was sealed. */
class StoreFiguresTest {
    @TempDir
    Path data;

    @Test
    void searchesFindWhatWasSealed() throws Exception {
        List<String> rows = StoreFigures.searches(data, 3_000, 60);
        assertThat(rows)
                .hasSizeGreaterThan(6)
                .anyMatch(row -> row.startsWith("logs,some"))
                .anyMatch(row -> row.startsWith("mails,rare"));
        assertThat(StoreFigures.searches(data, 3_000, 60))
                .as("again, from what is there")
                .hasSameSizeAs(rows);
        assertThat(StoreFigures.routes(20)).hasSize(2);
    }

    @Test
    void theLimitOfASearchIsMeasuredOnOneThreadAndOnTwo() throws Exception {
        assertThat(ScanFigures.rows(StoreData.logs(data, 3_000), StoreData.mails(data, 60), 1 << 16))
                .hasSize(5)
                .anyMatch(row -> row.startsWith("mails,2,"));
    }

    /** The goal: at most 3.5 bytes on disk for each byte of a line. Of real lines only: of others it says nothing. */
    @Test
    void realLinesAreStoredInAtMostThreeAndAHalfTimesTheirBytes() throws Exception {
        if (System.getProperty("veilgate.data") == null) {
            System.out.println("StoreFiguresTest: no -Dveilgate.data, sizes not measured");
            return;
        }
        String row = StoreFigures.size("real_logs", StoreData.realLogs(data));
        assertThat(Double.parseDouble(row.substring(row.lastIndexOf(',') + 1)))
                .as(row)
                .isBetween(2.0, 3.5);
    }
}
