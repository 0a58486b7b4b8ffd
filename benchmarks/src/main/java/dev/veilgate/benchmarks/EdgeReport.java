package dev.veilgate.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The edge's goals and what was measured, as Markdown: reads {@code jmh-edge.json}, {@code wire-size.csv}, {@code seal-profile.csv}, {@code agent.csv}
 * and {@code machine.txt} of a folder of results and writes {@code edge.md} beside them. What was not measured says so.
 */
public final class EdgeReport {
    private static final String RUN = "`benchmarks/run --only edge`";
    private static final String NOT_MEASURED = "not measured";

    private final Map<String, Double> scores;
    private final Map<String, String[]> wire;
    private final Map<String, String[]> agent;
    private final List<String[]> profile;
    private final String machine;

    private EdgeReport(Path folder) throws IOException {
        scores = scores(text(folder.resolve("jmh-edge.json")));
        wire = byFirst(csv(folder.resolve("wire-size.csv")));
        agent = byFirst(csv(folder.resolve("agent.csv")));
        profile = csv(folder.resolve("seal-profile.csv"));
        machine = text(folder.resolve("machine.txt"));
    }

    /** @param args the folder of results */
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            throw new IllegalArgumentException("arguments: FOLDER-OF-RESULTS");
        }
        Path folder = Path.of(args[0]);
        List<String> report = lines(folder);
        Files.write(folder.resolve("edge.md"), report);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        report.forEach(out::println);
    }

    /** The report. */
    static List<String> lines(Path folder) throws IOException {
        return new EdgeReport(folder).lines();
    }

    private List<String> lines() {
        List<String> out = new ArrayList<>();
        out.add("| work | goal | measured | command |");
        out.add("|---|---|---|---|");
        row(out, "log lines sealed, batches of 256, all 16 loghub logs", ">= 30,000 lines/s", sealed(), RUN);
        row(
                out,
                "extraction alone, logs",
                ">= 300,000 lines/s",
                rate("ExtractionBenchmark.lines/EXTRACT", "lines", 300_000),
                RUN);
        row(
                out,
                "extraction alone, mails",
                ">= 1,000 mails/s",
                rate("MailExtractionBenchmark.extract", "mails", 1_000),
                RUN);
        row(out, "sealed bytes against raw bytes, batches of 256", "<= 3x", wireSize(), RUN);
        row(
                out,
                "agent start to first publish",
                "<= 1.5 s",
                agent("first_publish", 1e3, 1.5, "s"),
                "`benchmarks/agent-start`");
        row(
                out,
                "agent's resident memory",
                "<= 150 MB",
                agent("resident", 1e6 / 1024, 150, "MB"),
                "`benchmarks/agent-start`");
        out.add("");
        out.add(
                "One core, its garbage collector and compiler included. Memory: when the last of 32,000 lines was published; at rest "
                        + agentValue("resident_at_rest", 1e6 / 1024, "MB") + ", at its peak "
                        + agentValue("resident_peak", 1e6 / 1024, "MB")
                        + ". A start begins with the process and ends with the first"
                        + " envelope, of 256 lines, at a subscriber; the very first start after an installation is slower, for it has no archive of"
                        + " classes yet.");
        if (!machine.contains("data: real")) {
            out.add("");
            out.add(
                    "**Of sample data**: the real logs and mails were not there. These figures say nothing of the goals.");
        }
        if (profile.size() > 1) {
            out.add("");
            out.add("| step of sealing | us a line | share |");
            out.add("|---|---|---|");
            profile.stream()
                    .skip(1)
                    .forEach(step -> out.add(String.format(
                            Locale.ROOT,
                            "| %s | %s | %.0f %% |",
                            step[0],
                            step[1],
                            100 * Double.parseDouble(step[2]))));
        }
        out.add("");
        out.add("```");
        machine.lines().forEach(out::add);
        out.add("```");
        return out;
    }

    private static void row(List<String> out, String work, String goal, String measured, String command) {
        out.add("| " + work + " | " + goal + " | " + measured + " | " + command + " |");
    }

    private String sealed() {
        Double micros = scores.get("SealLogsBenchmark.sealAll");
        if (micros == null) {
            return NOT_MEASURED;
        }
        String text = String.format(Locale.ROOT, "%,.0f lines/s (%.1f us a line)", 1e6 / micros, micros);
        return judged(text, 1e6 / micros >= 30_000);
    }

    private String rate(String name, String unit, double goal) {
        Double rate = scores.get(name);
        return rate == null ? NOT_MEASURED : judged(String.format(Locale.ROOT, "%,.0f %s/s", rate, unit), rate >= goal);
    }

    private String wireSize() {
        String[] total = wire.get("total");
        return total == null ? NOT_MEASURED : judged(total[3] + "x", Double.parseDouble(total[3]) <= 3);
    }

    private String agent(String measure, double unit, double goal, String name) {
        String[] found = agent.get(measure);
        return found == null
                ? NOT_MEASURED
                : judged(agentValue(measure, unit, name), Double.parseDouble(found[1]) / unit <= goal);
    }

    private String agentValue(String measure, double unit, String name) {
        String[] found = agent.get(measure);
        return found == null
                ? NOT_MEASURED
                : String.format(
                        Locale.ROOT,
                        name.equals("s") ? "%.2f %s" : "%.0f %s",
                        Double.parseDouble(found[1]) / unit,
                        name);
    }

    private static String judged(String measured, boolean reached) {
        return reached ? measured : "**" + measured + ", missed**";
    }

    /** Scores by class and method, and by {@code /work} where there is that parameter. */
    private static Map<String, Double> scores(String json) throws IOException {
        Map<String, Double> scores = new HashMap<>();
        for (Map<String, String> row : StoredRows.jmh(json)) {
            String work = row.containsKey("work") ? "/" + row.get("work") : "";
            scores.put(row.get("benchmark") + work, Double.valueOf(row.get("score")));
        }
        return scores;
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private static List<String[]> csv(Path file) throws IOException {
        return text(file).lines().map(line -> line.split(",", -1)).toList();
    }

    private static Map<String, String[]> byFirst(List<String[]> rows) {
        Map<String, String[]> map = new HashMap<>();
        rows.forEach(row -> map.put(row[0], row));
        return map;
    }
}
