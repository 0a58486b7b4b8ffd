package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.AttributeWork.Operation;
import dev.veilgate.benchmarks.Sample.Budget;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Costs of the attribute-based schemes, against the number of attributes, the policy asking for all of them: times,
 * bytes allocated and bytes that are kept and sent, on one thread; beside them the steps that they are made of
 * ({@link PairingYardsticks}), and the smartphone study's other figures ({@link AttributeStudy}). Writes {@code
 * attributes.csv}, {@code attribute-sizes.csv} and the study's three, all again in {@code attributes.json}, {@code
 * attributes.md} and pictures.
 *
 * <p>A point is the median, with quartiles, of as many calls as its time allows, after calls that are not counted.
 * Points and keys are arrays on the heap, so that what is allocated leaves nothing out but what the native library puts
 * on its stack.
 */
public final class AttributeFigures {
    /**
     * Points, and how long each is measured.
     *
     * @param attributes numbers of them
     */
    record Plan(List<Integer> attributes, Budget budget, AttributeStudy.Plan study) {
        /** Some seven minutes. */
        static final Plan FULL = new Plan(
                List.of(1, 5, 10, 20, 30, 100, 1_000),
                new Budget(Duration.ofMillis(100), Duration.ofMillis(500), 5, 2_000),
                AttributeStudy.Plan.FULL);

        /** A few seconds: shows that everything works, and no more. */
        static final Plan QUICK = new Plan(
                List.of(1, 10, 30), new Budget(Duration.ZERO, Duration.ofMillis(2), 1, 20), AttributeStudy.Plan.QUICK);
    }

    /**
     * Measured point.
     *
     * @param scheme     id, or {@link PairingYardsticks#ID}
     * @param operation  {@link Operation#label}, or a yardstick's name
     * @param attributes how many; 0 for yardsticks
     */
    record Point(String scheme, String operation, int attributes, Sample sample) {}

    /** All that was measured. */
    record Figures(List<Point> points, List<AttributeWork.Size> sizes, AttributeStudy study) {}

    private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?");

    private AttributeFigures() {}

    /** @param args {@code --quick}, or nothing, and the output folder */
    public static void main(String[] args) throws Exception {
        boolean quick = args.length == 2 && args[0].equals("--quick");
        if (!quick && args.length != 1) {
            throw new IllegalArgumentException("arguments: [--quick] OUTPUT-FOLDER");
        }
        Path folder = Files.createDirectories(Path.of(args[args.length - 1]));
        Figures figures = measure(quick ? Plan.QUICK : Plan.FULL, folder);
        Files.write(folder.resolve("attributes.csv"), csv(figures.points));
        Files.write(folder.resolve("attribute-sizes.csv"), sizesCsv(figures.sizes));
        figures.study.save(folder);
        Files.write(folder.resolve("attributes.json"), json(figures));
        AttributePlots.draw(folder, figures);
        List<String> report = AttributeReport.lines(figures);
        Files.write(folder.resolve("attributes.md"), report);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        report.forEach(out::println);
    }

    /** @param folder that exists, for processes that are started */
    private static Figures measure(Plan plan, Path folder) throws Exception {
        List<AttributeWork<?, ?, ?, ?>> schemes = AttributeWork.all();
        for (AttributeWork<?, ?, ?, ?> scheme : schemes) { // the compiler's turn, before the first point
            for (Callable<?> operation : scheme.at(5).operations().values()) {
                Sample.of(operation, plan.budget);
            }
        }
        List<Point> points = new ArrayList<>();
        for (Map.Entry<String, Callable<?>> step : PairingYardsticks.all().entrySet()) {
            points.add(new Point(PairingYardsticks.ID, step.getKey(), 0, Sample.of(step.getValue(), plan.budget)));
        }
        List<AttributeWork.Size> sizes = new ArrayList<>();
        for (AttributeWork<?, ?, ?, ?> scheme : schemes) {
            for (int n : plan.attributes) {
                var at = scheme.at(n);
                for (Map.Entry<Operation, Callable<?>> of : at.operations().entrySet()) {
                    String operation = of.getKey().label();
                    points.add(new Point(scheme.id(), operation, n, Sample.of(of.getValue(), plan.budget)));
                }
                sizes.add(at.size());
            }
        }
        return new Figures(points, sizes, AttributeStudy.measure(plan.study, schemes, folder));
    }

    private static List<String> csv(List<Point> points) {
        List<String> rows = new ArrayList<>();
        rows.add("scheme,operation,attributes,lower_quartile_ms,median_ms,upper_quartile_ms,"
                + "repetitions,allocated_bytes");
        for (Point point : points) {
            Sample sample = point.sample;
            rows.add(String.format(
                    Locale.ROOT,
                    "%s,%s,%d,%.5f,%.5f,%.5f,%d,%d",
                    point.scheme,
                    point.operation,
                    point.attributes,
                    sample.lowerNanos() / 1e6,
                    sample.millis(),
                    sample.upperNanos() / 1e6,
                    sample.repetitions(),
                    sample.allocatedBytes()));
        }
        return rows;
    }

    private static List<String> sizesCsv(List<AttributeWork.Size> sizes) {
        List<String> rows = new ArrayList<>();
        rows.add("scheme,attributes,key_bytes,ciphertext_bytes,cca_ciphertext_bytes,transform_key_bytes,answer_bytes");
        for (AttributeWork.Size size : sizes) {
            rows.add(String.format(
                    Locale.ROOT,
                    "%s,%d,%d,%d,%d,%d,%d",
                    size.scheme(),
                    size.attributes(),
                    size.key(),
                    size.ciphertext(),
                    size.ccaCiphertext(),
                    size.transformKey(),
                    size.answer()));
        }
        return rows;
    }

    /** The tables as lists of objects. */
    private static List<String> json(Figures figures) {
        Map<String, List<String>> tables = new LinkedHashMap<>();
        tables.put("points", csv(figures.points));
        tables.put("sizes", sizesCsv(figures.sizes));
        tables.put("memory", ResidentMemory.csv(figures.study.memory()));
        tables.put("processor", ProcessorUse.csv(figures.study.processor()));
        tables.put("native", NativeAgainstPlain.csv(figures.study.plain()));
        List<String> lines = new ArrayList<>();
        lines.add("{");
        lines.add("  \"java\": \"" + Runtime.version() + "\",");
        lines.add(tables.entrySet().stream()
                .map(table -> "  \"" + table.getKey() + "\": [\n" + objects(table.getValue()) + "\n  ]")
                .collect(Collectors.joining(",\n")));
        lines.add("}");
        return lines;
    }

    private static String objects(List<String> csv) {
        String[] names = csv.getFirst().split(",");
        return csv.stream().skip(1).map(row -> object(names, row.split(","))).collect(Collectors.joining(",\n"));
    }

    private static String object(String[] names, String[] cells) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            boolean number = NUMBER.matcher(cells[i]).matches();
            fields.add("\"" + names[i] + "\": " + (number ? cells[i] : "\"" + cells[i] + "\""));
        }
        return "    {" + String.join(", ", fields) + "}";
    }
}
