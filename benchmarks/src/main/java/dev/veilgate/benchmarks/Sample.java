package dev.veilgate.benchmarks;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * How long one operation takes on the calling thread, each repetition timed by itself, and how much it allocates on the heap. What runs beside the measurement
 * makes a mean worse than a median, so there is no mean.
 *
 * @param lowerNanos     a quarter of the repetitions took no longer
 * @param medianNanos    half
 * @param upperNanos     three quarters
 * @param repetitions    that were counted
 * @param allocatedBytes of one repetition, on average
 */
record Sample(double lowerNanos, double medianNanos, double upperNanos, int repetitions, long allocatedBytes) {
    /** A pass that returns the nanoseconds that count. */
    @FunctionalInterface
    interface Pass {
        long run() throws Exception;
    }

    /**
     * When to stop.
     *
     * @param warmUp    passes that begin within it are not counted
     * @param measuring passes that begin within it are
     * @param least     at least so many are counted
     * @param most      at most so many are counted
     */
    record Budget(Duration warmUp, Duration measuring, int least, int most) {
        /** The same without passes that are not counted. */
        Budget warm() {
            return new Budget(Duration.ZERO, measuring, least, most);
        }
    }

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** So that no result is unused. */
    static volatile @Nullable Object sink;

    /** An operation, timed from its call to its return. */
    static Sample of(Callable<?> operation, Budget budget) throws Exception {
        return ofPasses(
                () -> {
                    long start = System.nanoTime();
                    Object result = operation.call();
                    long nanos = System.nanoTime() - start;
                    sink = result;
                    return nanos;
                },
                budget);
    }

    /** Passes that time themselves; what they allocate is counted as a whole. */
    static Sample ofPasses(Pass pass, Budget budget) throws Exception {
        for (long start = System.nanoTime(); System.nanoTime() - start < budget.warmUp.toNanos(); ) {
            pass.run();
        }
        long[] nanos = new long[budget.most];
        int count = 0;
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        while (count < budget.least || count < budget.most && System.nanoTime() - start < budget.measuring.toNanos()) {
            nanos[count++] = pass.run();
        }
        allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
        return of(Arrays.copyOf(nanos, count), allocated / count);
    }

    /** @param nanos of each repetition, at least one, in any order; is sorted */
    static Sample of(long[] nanos, long allocatedBytes) {
        Arrays.sort(nanos);
        return new Sample(at(nanos, 0.25), at(nanos, 0.5), at(nanos, 0.75), nanos.length, allocatedBytes);
    }

    /** Between the two repetitions that are nearest. */
    private static double at(long[] sorted, double quantile) {
        double place = quantile * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /** The median, in milliseconds. */
    double millis() {
        return medianNanos / 1e6;
    }
}
