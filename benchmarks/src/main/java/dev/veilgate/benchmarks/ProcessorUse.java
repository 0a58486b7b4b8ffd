package dev.veilgate.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.veilgate.benchmarks.AttributeWork.Operation;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * Processor time of this process, user and system, over the time that passes while one operation is repeated. The
 * collector's and the compiler's threads are counted too.
 *
 * @param scheme         id
 * @param wallNanos      that passed
 * @param processorNanos of all threads of the process in it
 */
record ProcessorUse(String scheme, Operation operation, int attributes, long wallNanos, long processorNanos) {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /**
     * Every operation that papers have of every scheme.
     *
     * @param each time of an operation, after as much that is not counted
     */
    static List<ProcessorUse> measure(List<AttributeWork<?, ?, ?, ?>> schemes, int attributes, Duration each)
            throws Exception {
        List<ProcessorUse> all = new ArrayList<>();
        for (AttributeWork<?, ?, ?, ?> scheme : schemes) {
            for (Operation operation : Operation.OF_PAPERS) {
                Callable<?> repeated = scheme.alone(operation, attributes);
                repeat(repeated, each);
                long processor = SYSTEM.getProcessCpuTime();
                long wall = repeat(repeated, each);
                processor = SYSTEM.getProcessCpuTime() - processor;
                all.add(new ProcessorUse(scheme.id(), operation, attributes, wall, processor));
            }
        }
        return all;
    }

    /** Nanoseconds that it took: no fewer than asked for, and at least one call. */
    private static long repeat(Callable<?> operation, Duration least) throws Exception {
        long start = System.nanoTime();
        long passed;
        do {
            Sample.sink = operation.call();
            passed = System.nanoTime() - start;
        } while (passed < least.toNanos());
        return passed;
    }

    /** Cores that are fully used. */
    double cores() {
        return (double) processorNanos / wallNanos;
    }

    static List<String> csv(List<ProcessorUse> all) {
        List<String> rows = new ArrayList<>();
        rows.add("scheme,operation,attributes,wall_ms,processor_ms,cores_used,cores_online");
        for (ProcessorUse use : all) {
            rows.add(String.format(
                    Locale.ROOT,
                    "%s,%s,%d,%.3f,%.3f,%.3f,%d",
                    use.scheme,
                    use.operation.label(),
                    use.attributes,
                    use.wallNanos / 1e6,
                    use.processorNanos / 1e6,
                    use.cores(),
                    SYSTEM.getAvailableProcessors()));
        }
        return rows;
    }
}
