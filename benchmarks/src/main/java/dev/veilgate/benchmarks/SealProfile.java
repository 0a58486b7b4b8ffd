package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.LogSealing.Step;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where the time of sealing goes, step by step: passes as in {@link SealLogsBenchmark}, the first half of them to warm up, then the median pass. Writes
 * {@code seal-profile.csv} into the folder that it is given.
 */
public final class SealProfile {
    private static final int PASSES = 14;

    private SealProfile() {}

    /** @param args the output folder */
    public static void main(String[] args) throws Exception {
        if (args.length != 1) {
            throw new IllegalArgumentException("arguments: OUTPUT-FOLDER");
        }
        List<String> table = table(median(EdgeLog.readAll(), LogSealing.Sender.generate(), PASSES), EdgeLog.LINES);
        Files.write(Files.createDirectories(Path.of(args[0])).resolve("seal-profile.csv"), table);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.forEach(out::println);
    }

    /** Nanoseconds of each step in the pass whose sum is the median of those of the second half. */
    static long[] median(List<EdgeLog> logs, LogSealing.Sender sender, int passes) throws Exception {
        List<long[]> late = new ArrayList<>();
        for (int pass = 0; pass < passes; pass++) {
            try (LogSealing sealing = new LogSealing(sender)) {
                for (EdgeLog log : logs) {
                    for (List<byte[]> batch : log.batches()) {
                        if (sealing.seal(batch).bytes().length == 0) {
                            throw new IOException("nothing was sealed");
                        }
                    }
                }
                if (pass >= passes / 2) {
                    late.add(sealing.nanos);
                }
            }
        }
        late.sort((x, y) -> Long.compare(sum(x), sum(y)));
        return late.get(late.size() / 2);
    }

    private static long sum(long[] nanos) {
        long sum = 0;
        for (long step : nanos) {
            sum += step;
        }
        return sum;
    }

    /** A row a step, and their sum, as CSV with a head. */
    static List<String> table(long[] nanos, int lines) {
        List<String> table = new ArrayList<>();
        table.add("step,microseconds_a_line,share");
        for (Step step : Step.values()) {
            table.add(row(step.name().toLowerCase(Locale.ROOT), nanos[step.ordinal()], sum(nanos), lines));
        }
        table.add(row("total", sum(nanos), sum(nanos), lines));
        return table;
    }

    private static String row(String name, long nanos, long all, int lines) {
        return String.format(Locale.ROOT, "%s,%.3f,%.3f", name, nanos / 1e3 / lines, (double) nanos / all);
    }
}
