package dev.veilgate.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The forms that a row of Test could take at N = 2048, in cache: what docs/adr/0001 decides by. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RowBenchmark {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int N = 2048;
    private static final int STRIDE = 8;

    private final byte[] phases = new byte[4 + 4 * N];
    private final int[] window = new int[2 * N];
    private int row;

    /** Fills both with noise. */
    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        random.nextBytes(phases);
        for (int i = 0; i < window.length; i++) {
            window[i] = random.nextInt(-100_000, 100_000);
        }
    }

    private int start() {
        row = (row + 2) % 256;
        return N - 1 - row * STRIDE;
    }

    /** 64-bit sums, as residues need them. */
    @Benchmark
    public long longSums() {
        int start = start();
        long sum = 0;
        for (int i = 0; i < N; i++) {
            sum += (long) (int) INT.get(phases, 4 + 4 * i) * window[start + i];
        }
        return sum;
    }

    /** 32-bit sums of phases. */
    @Benchmark
    public int intSums() {
        int start = start();
        int sum = 0;
        for (int i = 0; i < N; i++) {
            sum += (int) INT.get(phases, 4 + 4 * i) * window[start + i];
        }
        return sum;
    }

    /** Two rows of 32-bit sums in one pass, which is what the product does. */
    @Benchmark
    public long intSumsOfTwoRows() {
        int start = start();
        int next = start - STRIDE;
        int first = 0;
        int second = 0;
        for (int i = 0; i < N; i++) {
            int a = (int) INT.get(phases, 4 + 4 * i);
            first += a * window[start + i];
            second += a * window[next + i];
        }
        return (long) second << 32 | first & 0xffff_ffffL;
    }
}
