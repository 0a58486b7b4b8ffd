package dev.veilgate.benchmarks;

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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Log lines sealed: microseconds a line, from bytes to a signed envelope, batches of 256 of each of the 16 logs of {@link EdgeLog} in turn. An invocation is
 * one pass over all lines with a new extractor, template miner and sealer: nothing that learns or caches is warm from the pass before; the compiled code
 * is.
 *
 * <p>The garbage collector is the serial one. {@code benchmarks/run} holds the process to one core, so that collector and compiler have their share
 * in that core.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10)
@Measurement(iterations = 10)
@Fork(
        value = 2,
        jvmArgsPrepend = {"-XX:+UseSerialGC"})
public class SealLogsBenchmark {
    private final List<List<byte[]>> batches = new ArrayList<>();
    private LogSealing.Sender sender;

    /** Reads the lines, generates keys. */
    @Setup
    public void prepare() throws Exception {
        for (EdgeLog log : EdgeLog.readAll()) {
            batches.addAll(log.batches());
        }
        sender = LogSealing.Sender.generate();
    }

    /** All lines once; the score is microseconds a line. */
    @Benchmark
    @OperationsPerInvocation(EdgeLog.LINES)
    public void sealAll(Blackhole sink) throws Exception {
        try (LogSealing sealing = new LogSealing(sender)) {
            for (List<byte[]> batch : batches) {
                sink.consume(sealing.seal(batch));
            }
        }
    }
}
