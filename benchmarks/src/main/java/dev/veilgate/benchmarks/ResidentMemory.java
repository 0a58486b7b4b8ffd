package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.AttributeWork.Operation;
import dev.veilgate.benchmarks.gateway.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory that one operation of an attribute-based scheme keeps resident, each point in a Java process of its own with a
 * phone's heap; beside it a process that only loads the schemes.
 */
final class ResidentMemory {
    /** The heap of each process, from its start to its limit, and a collector without threads of its own. */
    static final List<String> HEAP = List.of("-Xms8m", "-Xmx64m", "-XX:+UseSerialGC");

    private static final List<String> SCHEMES = List.of("cp-fabeo22", "kp-fabeo22", "cp-bsw07", "kp-gpsw06");

    /**
     * Points, and when each process stops: after so many repetitions or so much time.
     *
     * @param attributes numbers of them
     */
    record Plan(List<Operation> operations, List<Integer> attributes, int most, Duration longest) {}

    /**
     * Memory that a process says it has had resident.
     *
     * @param beforeBytes the most until all schemes were loaded
     * @param bytes       the most until its end
     */
    record Reading(int repetitions, long beforeBytes, long bytes) {
        private static final Pattern LINE = Pattern.compile("(?m)^resident (\\d+) (\\d+) (\\d+)$");

        String line() {
            return "resident " + repetitions + " " + beforeBytes + " " + bytes + "\n";
        }

        /** The reading among what a process said. */
        static Reading of(String said) {
            Matcher line = LINE.matcher(said);
            if (!line.find()) {
                throw new IllegalArgumentException("no resident memory in: " + said);
            }
            return new Reading(
                    Integer.parseInt(line.group(1)), Long.parseLong(line.group(2)), Long.parseLong(line.group(3)));
        }
    }

    /** An operation of a scheme, measured. */
    record Point(String scheme, Operation operation, int attributes, Reading reading) {}

    /**
     * All that was measured.
     *
     * @param baseline of the process that only loads the schemes
     */
    record Figures(Reading baseline, List<Point> points) {
        double megabytes(Point point) {
            return point.reading.bytes / 1e6;
        }

        double aboveBaseline(Point point) {
            return (point.reading.bytes - baseline.bytes) / 1e6;
        }
    }

    private ResidentMemory() {}

    /** @param folder that the processes run with; nothing is written there */
    static Figures measure(Plan plan, Path folder) throws IOException, InterruptedException {
        try (Programs programs = new Programs(folder)) {
            Reading baseline = Reading.of(programs.run(command(List.of())));
            List<Point> points = new ArrayList<>();
            for (String scheme : SCHEMES) {
                for (Operation operation : plan.operations) {
                    for (int n : plan.attributes) {
                        List<String> work = List.of(
                                scheme,
                                operation.name(),
                                Integer.toString(n),
                                Integer.toString(plan.most),
                                Long.toString(plan.longest.toMillis()));
                        points.add(new Point(scheme, operation, n, Reading.of(programs.run(command(work)))));
                    }
                }
            }
            return new Figures(baseline, points);
        }
    }

    private static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(HEAP);
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), ResidentWork.class.getName()));
        command.addAll(arguments);
        return command;
    }

    static List<String> csv(Figures figures) {
        List<String> rows = new ArrayList<>();
        rows.add("scheme,operation,attributes,repetitions,before_mb,resident_mb,above_baseline_mb");
        rows.add(row("none", "baseline", 0, figures.baseline, 0));
        for (Point point : figures.points) {
            rows.add(row(
                    point.scheme,
                    point.operation.label(),
                    point.attributes,
                    point.reading,
                    figures.aboveBaseline(point)));
        }
        return rows;
    }

    private static String row(String scheme, String operation, int attributes, Reading reading, double above) {
        return String.format(
                Locale.ROOT,
                "%s,%s,%d,%d,%.2f,%.2f,%.2f",
                scheme,
                operation,
                attributes,
                reading.repetitions,
                reading.beforeBytes / 1e6,
                reading.bytes / 1e6,
                above);
    }
}
