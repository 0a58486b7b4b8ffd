package dev.veilgate.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs behind the edge's figures count right and run, on a small log of ours. */
class EdgeFiguresTest {
    private static LogSealing.Sender sender;

    @BeforeAll
    static void generate() throws Exception {
        sender = LogSealing.Sender.generate();
    }

    private static EdgeLog log(String name, int lines) {
        List<byte[]> bytes = LogSearch.sampleLog(lines).stream()
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toList();
        return new EdgeLog(
                name, bytes.stream().mapToLong(line -> line.length + 1).sum(), bytes);
    }

    @Test
    void linesAreWhatTheAgentReads() throws Exception {
        List<EdgeLog> logs = EdgeLog.readAll();
        assertThat(logs.stream().mapToInt(log -> log.lines().size()).sum()).isEqualTo(EdgeLog.LINES);
        for (EdgeLog log : logs) {
            long bytes = log.lines().stream().mapToLong(line -> line.length + 1).sum();
            assertThat(log.bytes()).isBetween(bytes - 1, bytes); // the last line end may be missing
            assertThat(log.batches())
                    .first()
                    .satisfies(batch -> assertThat(batch).hasSize(256));
            assertThat(log.batches().stream().mapToInt(List::size).sum())
                    .isEqualTo(log.lines().size());
        }
    }

    @Test
    void partsOfAnEnvelopeAreAllOfIt() throws Exception {
        EdgeLog small = log("small", 10);
        EdgeLog large = log("large", 300);
        List<WireSize.Row> rows = WireSize.measure(List.of(small, large), sender);
        assertThat(rows).extracting(WireSize.Row::log).containsExactly("small", "large", "total");
        for (WireSize.Row row : rows) {
            assertThat(row.records() + row.a() + row.slots() + row.cells() + row.fixed())
                    .isEqualTo(row.sealed());
            // a signature of 3,373 bytes, a wrapped key of about 1,200, and heads
            assertThat(row.fixed() / row.batches()).isBetween(4_600L, 6_500L);
            assertThat(row.slots()).isGreaterThanOrEqualTo(45 * row.keywords());
        }
        assertThat(rows.get(0).a()).isEqualTo(7_424);
        assertThat(rows.get(1).batches()).isEqualTo(2);
        assertThat(rows.get(2).raw()).isEqualTo(small.bytes() + large.bytes());
        assertThat(rows.get(2).sealed())
                .isEqualTo(rows.get(0).sealed() + rows.get(1).sealed());
        assertThat(WireSize.table(rows).getLast())
                .startsWith("total," + rows.get(2).raw() + ",");
    }

    @Test
    void everyStepOfSealingIsTimed() throws Exception {
        long[] nanos = SealProfile.median(List.of(log("small", 20)), sender, 2);
        assertThat(nanos).hasSize(5);
        assertThat(nanos).doesNotContain(0);
        assertThat(SealProfile.table(new long[] {1_000, 2_000, 3_000, 0, 4_000}, 10))
                .contains("template,0.200,0.200", "total,1.000,1.000");
    }

    @Test
    void reportSaysWhatIsReachedMissedAndNotMeasured(@TempDir Path folder) throws Exception {
        assertThat(String.join("\n", EdgeReport.lines(folder)))
                .contains("| not measured |")
                .contains("say nothing of the goals");
        Files.writeString(folder.resolve("jmh-edge.json"), """
                [ { "benchmark" : "dev.veilgate.benchmarks.ExtractionBenchmark.lines",
                    "params" : { "work" : "EXTRACT" },
                    "primaryMetric" : {
                        "score" : 412345.6 } },
                  { "benchmark" : "dev.veilgate.benchmarks.SealLogsBenchmark.sealAll",
                    "primaryMetric" : {
                        "score" : 40.0 } } ]
                """);
        Files.writeString(folder.resolve("machine.txt"), "commit: 0\ndata: real logs and mails\n");
        Files.writeString(folder.resolve("wire-size.csv"), "log,raw,sealed,ratio\ntotal,100,297,2.970\n");
        Files.writeString(folder.resolve("agent.csv"), "first_publish,1499,ms,\nresident,150000,kB,\n");
        assertThat(EdgeReport.lines(folder))
                .anyMatch(line -> line.contains("| **25,000 lines/s (40.0 us a line), missed** |"))
                .anyMatch(line -> line.contains("| 412,346 lines/s |"))
                .anyMatch(line -> line.contains("| 2.970x |"))
                .anyMatch(line -> line.contains("| 1.50 s |"))
                .anyMatch(line -> line.contains("| **154 MB, missed** |"))
                .noneMatch(line -> line.contains("say nothing"));
    }
}
