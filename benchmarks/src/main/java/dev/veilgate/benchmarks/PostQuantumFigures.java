package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.PostQuantumOperations.Library;
import dev.veilgate.pq.PostQuantum;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * ML-KEM, ML-DSA and FrodoKEM by Bouncy Castle, the JDK, the platform of the product and liboqs, and the arrival of
 * envelopes by the latter two: by turns in one process, in microseconds of CPU of one thread. Writes {@code
 * operations.csv}, {@code factors.csv} and {@code arrival.csv}.
 */
public final class PostQuantumFigures {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /**
     * How long.
     *
     * @param warmUp of each operation, which is not counted
     * @param turn   of one operation before the next has its own
     * @param turns  of each; the median counts
     */
    record Budget(Duration warmUp, Duration turn, int turns) {}

    private static final Budget BUDGET = new Budget(Duration.ofSeconds(1), Duration.ofMillis(40), 41);

    /**
     * Microseconds of CPU of one call.
     *
     * @param lower  a quarter of the turns took no longer
     * @param median half
     * @param upper  three quarters
     */
    record Microseconds(double lower, double median, double upper) {}

    private PostQuantumFigures() {}

    /** @param args liboqs, and the output folder */
    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            throw new IllegalArgumentException("arguments: LIBOQS OUTPUT-FOLDER");
        }
        measure(Path.of(args[0]), Path.of(args[1]), BUDGET);
    }

    /** Loads liboqs, which the whole process uses from then on. */
    static void measure(Path liboqs, Path folder, Budget budget) throws Exception {
        PostQuantumArrival arrival = PostQuantumArrival.prepare();
        arrival.readyUnderCurrent(PostQuantum.platform().name());
        PostQuantum.useNative(liboqs);
        arrival.readyUnderCurrent(PostQuantum.current().name());

        Map<String, Callable<?>> operations = PostQuantumOperations.all(PostQuantum.platform(), PostQuantum.current());
        Map<String, Callable<?>> all = new LinkedHashMap<>(operations);
        all.putAll(arrival.steps());
        Map<String, Microseconds> measured = byTurns(all, budget);

        Path output = Files.createDirectories(folder);
        SseTable table = new SseTable("operation", "library", "us", "lower_us", "upper_us");
        SseTable ofArrival = new SseTable("step", "provider", "us", "lower_us", "upper_us");
        measured.forEach((name, us) -> {
            String[] parts = name.split(PostQuantumOperations.BY, 2);
            (operations.containsKey(name) ? table : ofArrival).add(parts[0], parts[1], us.median, us.lower, us.upper);
        });
        write(output.resolve("operations.csv"), table);
        write(output.resolve("factors.csv"), factors(measured));
        write(output.resolve("arrival.csv"), ofArrival);
    }

    /** The faster of the Java libraries over liboqs. */
    private static SseTable factors(Map<String, Microseconds> measured) {
        SseTable factors = new SseTable("operation", "faster", "faster_us", "liboqs_us", "factor");
        for (String name : measured.keySet()) {
            if (!name.endsWith(PostQuantumOperations.BY + Library.LIBOQS.label())) {
                continue;
            }
            String operation = name.split(PostQuantumOperations.BY, 2)[0];
            Library faster = Library.BOUNCY_CASTLE;
            Microseconds jdk = measured.get(PostQuantumOperations.name(operation, Library.JDK));
            double us = median(measured, operation, faster);
            if (jdk != null && jdk.median < us) {
                faster = Library.JDK;
                us = jdk.median;
            }
            double ofLiboqs = median(measured, operation, Library.LIBOQS);
            factors.add(operation, faster.label(), us, ofLiboqs, us / ofLiboqs);
        }
        return factors;
    }

    private static double median(Map<String, Microseconds> measured, String operation, Library library) {
        Microseconds us = measured.get(PostQuantumOperations.name(operation, library));
        if (us == null) {
            throw new IllegalStateException(operation + " was not measured of " + library.label());
        }
        return us.median;
    }

    /** An operation, how often it is called in a turn, and what its turns took for each call. */
    private record Course(String name, Callable<?> operation, int calls, double[] microseconds) {
        /** Warms the operation up. */
        static Course warm(String name, Callable<?> operation, Budget budget) throws Exception {
            long count = 0;
            long spent;
            long start = THREADS.getCurrentThreadCpuTime();
            do {
                Sample.sink = operation.call();
                count++;
                spent = THREADS.getCurrentThreadCpuTime() - start;
            } while (spent < budget.warmUp.toNanos());
            int calls = (int) Math.max(1, count * budget.turn.toNanos() / spent);
            return new Course(name, operation, calls, new double[budget.turns]);
        }

        void take(int turn) throws Exception {
            long start = THREADS.getCurrentThreadCpuTime();
            for (int call = 0; call < calls; call++) {
                Sample.sink = operation.call();
            }
            microseconds[turn] = (THREADS.getCurrentThreadCpuTime() - start) / 1e3 / calls;
        }

        Microseconds result() {
            double[] sorted = microseconds.clone();
            Arrays.sort(sorted);
            int turns = sorted.length;
            return new Microseconds(sorted[turns / 4], sorted[turns / 2], sorted[turns * 3 / 4]);
        }
    }

    /** The operations in their order, again and again, so that what else runs on the machine meets all of them. */
    private static Map<String, Microseconds> byTurns(Map<String, Callable<?>> operations, Budget budget)
            throws Exception {
        List<Course> courses = new ArrayList<>();
        for (Map.Entry<String, Callable<?>> each : operations.entrySet()) {
            courses.add(Course.warm(each.getKey(), each.getValue(), budget));
        }
        for (int turn = 0; turn < budget.turns; turn++) {
            for (Course course : courses) {
                course.take(turn);
            }
        }
        Map<String, Microseconds> results = new LinkedHashMap<>();
        for (Course course : courses) {
            results.put(course.name, course.result());
        }
        return results;
    }

    private static void write(Path file, SseTable table) throws Exception {
        Files.write(file, table.lines());
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.lines().forEach(out::println);
    }
}
