package dev.veilgate.benchmarks;

import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.extract.PostingCollector;
import dev.veilgate.extract.log.LogExtractor;
import dev.veilgate.extract.log.LogFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
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
 * Log lines to keywords, and to posting lists of batches of 256: throughput in lines a second. The lines are those of {@link EdgeLog}, log after
 * log.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-XX:+UseSerialGC"})
public class ExtractionBenchmark {
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

    /** The rules of keywords; 2 has the usual networks, as {@code veilgate keys rules 2} makes them. */
    @Param("1")
    public int rules = ExtractorProfile.RULES;

    private final PostingCollector collector = new PostingCollector();
    private final List<List<byte[]>> batches = new ArrayList<>();
    private ExtractorProfile profile = ExtractorProfile.defaults();

    /** Reads the lines. */
    @Setup
    public void read() throws IOException {
        profile = rules == ExtractorProfile.RULES
                ? ExtractorProfile.defaults()
                : ExtractorProfile.defaults().upgraded();
        for (EdgeLog log : EdgeLog.readAll()) {
            batches.addAll(log.batches());
        }
    }

    /** All lines once, by a new extractor, for one caches keywords; the score is lines a second. */
    @Benchmark
    @OperationsPerInvocation(EdgeLog.LINES)
    public void lines(Blackhole sink) {
        LogExtractor extractor = LogExtractor.of(profile, LogFormat.AUTO);
        for (List<byte[]> lines : batches) {
            for (int i = 0; i < lines.size(); i++) {
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
}
