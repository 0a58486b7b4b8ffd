package dev.veilgate.benchmarks;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.PostingCollector;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import dev.veilgate.peks.RecordSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Log lines to keywords, and to posting lists of batches of 256: throughput in lines a second. The lines are those of the real logs in the folder that
 * {@code -Dveilgate.data} names, one batch of each log after the other; without it those of {@link LogSearch#sampleLog}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class ExtractionBenchmark {
    private static final int BATCH = RecordSet.MAX_RECORDS;

    /** What is done with the keywords. */
    public enum Work {
        /** They are extracted. */
        EXTRACT,
        /** They are extracted and collected to posting lists. */
        EXTRACT_AND_COLLECT
    }

    /** What is done. */
    @Param
    public Work work = Work.EXTRACT;

    private final PostingCollector collector = new PostingCollector();
    private final List<List<byte[]>> batches = new ArrayList<>();
    private LogExtractor extractor;
    private int batch;

    /** Reads the lines. */
    @Setup
    public void lines() throws IOException {
        List<List<byte[]>> logs = new ArrayList<>();
        String data = System.getProperty("veilgate.data");
        if (data == null) {
            System.out.println("no -Dveilgate.data: a sample log");
            logs.add(LogSearch.sampleLog(20_000).stream()
                    .map(line -> line.getBytes(StandardCharsets.UTF_8))
                    .toList());
        } else {
            try (Stream<Path> files = Files.walk(Path.of(data, "loghub"))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".log"))
                        .sorted()
                        .toList()) {
                    logs.add(Files.readString(file, StandardCharsets.ISO_8859_1)
                            .lines()
                            .map(line -> line.getBytes(StandardCharsets.ISO_8859_1))
                            .toList());
                }
            }
        }
        int longest = logs.stream().mapToInt(List::size).max().orElse(0);
        for (int from = 0; from + BATCH <= longest; from += BATCH) {
            for (List<byte[]> log : logs) {
                if (from + BATCH <= log.size()) {
                    batches.add(log.subList(from, from + BATCH));
                }
            }
        }
        extractor = LogExtractor.of(ExtractorProfile.defaults(), LogFormat.AUTO);
    }

    /** One batch; the score is lines. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void lines(Blackhole sink) {
        List<byte[]> lines = batches.get(batch);
        batch = (batch + 1) % batches.size();
        for (int i = 0; i < BATCH; i++) {
            var keywords = extractor.extract(lines.get(i)).keywords();
            if (work == Work.EXTRACT) {
                sink.consume(keywords);
            } else {
                collector.add(i, keywords);
            }
        }
        if (work == Work.EXTRACT_AND_COLLECT) {
            sink.consume(collector.finish());
        }
    }
}
