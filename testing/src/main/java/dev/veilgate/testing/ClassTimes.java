package dev.veilgate.testing;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Appends one line per finished test class to {@code target/class-times.tsv} of its module: class, wall milliseconds, processor milliseconds.
 *
 * <p>Processor time is that of the test's JVM and of all child processes that ended during the class, where the system counts them (Linux). The build prints the slowest classes from
 * these files, so that growth is seen in the run that brings it. JUnit finds this listener by its service file.
 */
public final class ClassTimes implements TestExecutionListener {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final Path CHILDREN = Path.of("/proc/self/stat");
    private static final long MILLIS_PER_TICK = 10; // Linux counts hundredths of a second on every machine

    private final Map<String, Times> started = new ConcurrentHashMap<>();
    private @Nullable TestPlan plan;

    @Override
    public void testPlanExecutionStarted(TestPlan testPlan) {
        plan = testPlan;
    }

    @Override
    public void executionStarted(TestIdentifier identifier) {
        if (topLevelClass(identifier).isPresent()) {
            started.put(identifier.getUniqueId(), Times.now());
        }
    }

    @Override
    public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        Times start = started.remove(identifier.getUniqueId());
        if (start != null) {
            Times end = Times.now();
            append(
                    topLevelClass(identifier).orElseThrow(),
                    end.wallMillis - start.wallMillis,
                    end.processorMillis - start.processorMillis);
        }
    }

    private Optional<String> topLevelClass(TestIdentifier identifier) {
        boolean nested = plan == null
                || plan.getParent(identifier)
                        .flatMap(TestIdentifier::getSource)
                        .filter(ClassSource.class::isInstance)
                        .isPresent();
        return nested
                ? Optional.empty()
                : identifier
                        .getSource()
                        .filter(source -> identifier.isContainer())
                        .filter(ClassSource.class::isInstance)
                        .map(source -> ((ClassSource) source).getClassName());
    }

    /** One write of one line: forks append to one file. */
    private static void append(String testClass, long wallMillis, long processorMillis) {
        String module = System.getProperty("basedir"); // set by Surefire; an IDE sets none, and wants no file
        if (module == null) {
            return;
        }
        String line = String.format(Locale.ROOT, "%s\t%d\t%d%n", testClass, wallMillis, processorMillis);
        try {
            Files.writeString(
                    Path.of(module, "target", "class-times.tsv"),
                    line,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Times(long wallMillis, long processorMillis) {
        static Times now() {
            return new Times(System.nanoTime() / 1_000_000, SYSTEM.getProcessCpuTime() / 1_000_000 + childrenMillis());
        }

        /** Fields 16 and 17 of proc(5)'s stat: user and system time of children that were waited for. */
        private static long childrenMillis() {
            try {
                String stat = Files.readString(CHILDREN);
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
                return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) * MILLIS_PER_TICK;
            } catch (IOException e) {
                return 0; // not Linux
            }
        }
    }
}
