package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.Sample.Budget;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Reproduces the NTRU-PEKS paper's comparison with all three schemes ours, the paper's printed numbers beside them: Table 1 (times of Test, PEKS and Trapdoor) and Figures 2
 * to 4 (search, encryption and trapdoor time against the number of records or keywords), for NTRU-PEKS with the paper's two sets, for BCO and for ZI. Writes {@code
 * paper-table1.csv}, {@code paper-figures.csv}, {@code paper-sizes.csv} (Table 3),
 * {@code paper-ahead.csv} (section 5.2), {@code paper.md} and one picture a figure.
 *
 * <p>Every figure is the median of passes in one thread, in wall-clock time: of five, or of those that begin within four seconds, one at least. Nothing is extrapolated:
 * a search of so many records tests so many.
 */
public final class PaperFigures {
    /**
     * How much is measured.
     *
     * @param records  of searches, ascending
     * @param keywords of encryption and trapdoors, ascending
     * @param tests    in a pass of the paper's form of Test
     */
    record Plan(List<Integer> records, List<Integer> keywords, int tests, Budget budget) {
        static final Plan FULL = new Plan(
                List.of(2_000, 4_000, 6_000, 8_000, 10_000),
                List.of(500, 1_000, 1_500, 2_000),
                2_000,
                new Budget(Duration.ofMillis(200), Duration.ofSeconds(4), 1, 5));

        /** Shows that everything works, and no more. */
        static final Plan QUICK =
                new Plan(List.of(20, 40), List.of(5, 10), 10, new Budget(Duration.ZERO, Duration.ZERO, 1, 1));
    }

    /**
     * A place in Figure 2, 3 or 4.
     *
     * @param count       records or keywords
     * @param paperMillis NaN if the paper does not print it
     */
    record Point(String figure, String scheme, String parameters, int count, double paperMillis, Sample sample) {}

    /**
     * A line of Table 1, with NaN for what is not known.
     *
     * @param millis of one operation
     */
    record Row(
            String operation, String scheme, String parameters, double paperMillis, double goalMillis, double millis) {}

    private final Plan plan;
    private final List<Row> table = new ArrayList<>();
    private final List<Point> points = new ArrayList<>();
    private List<String> ahead = List.of();
    private int nextWord;

    private PaperFigures(Plan plan) {
        this.plan = plan;
    }

    /** @param args {@code --quick}, or nothing, and the output folder */
    public static void main(String[] args) throws Exception {
        boolean quick = args.length == 2 && args[0].equals("--quick");
        if (!quick && args.length != 1) {
            throw new IllegalArgumentException("arguments: [--quick] OUTPUT-FOLDER");
        }
        Path folder = Files.createDirectories(Path.of(args[args.length - 1]));
        PaperFigures figures = new PaperFigures(quick ? Plan.QUICK : Plan.FULL);
        figures.measure();
        figures.write(folder);
    }

    private void measure() throws Exception {
        ahead = PaperAhead.rows(plan.keywords.getFirst(), plan.budget);
        for (NtruPaperScheme scheme : NtruPaperScheme.all()) {
            Sample tests = Sample.ofPasses(scheme.paperTests(plan.tests, nextWord++), plan.budget);
            add(scheme, "Test (the paper's form)", PaperScheme.Millis::test, tests.millis() / plan.tests);
            measure(scheme);
        }
        for (PaperScheme scheme : PairingPaperScheme.all()) {
            measure(scheme);
        }
    }

    private void measure(PaperScheme of) throws Exception {
        List<StoredBlock> blocks = of.blocks(plan.records.getLast());
        double test =
                figure("search", of, plan.records, of.paper().test(), count -> search(of, blocks.subList(0, count)));
        add(of, "Test (one slot)", PaperScheme.Millis::test, test);
        double encrypt =
                figure("encryption", of, plan.keywords, of.paper().encrypt(), count -> words(of::encrypt, count));
        add(of, "PEKS", PaperScheme.Millis::encrypt, encrypt);
        double trapdoor =
                figure("trapdoor", of, plan.keywords, of.paper().trapdoor(), count -> words(of.trapdoors(), count));
        add(of, "Trapdoor", PaperScheme.Millis::trapdoor, trapdoor);
        add(
                of,
                "KeyGen",
                millis -> Double.NaN,
                Sample.of(of::keyGen, plan.budget).millis());
    }

    /** Nanoseconds of so many. */
    private interface Counted {
        long run(int count);
    }

    /** Measures the points of one line, and returns the milliseconds of one record or keyword at its end. */
    private double figure(String figure, PaperScheme of, List<Integer> counts, double paperMillis, Counted counted)
            throws Exception {
        double last = 0;
        Budget budget = plan.budget;
        for (int count : counts) {
            Sample sample = Sample.ofPasses(() -> counted.run(count), budget);
            points.add(new Point(figure, of.name(), of.parameters(), count, paperMillis * count, sample));
            last = sample.millis() / count;
            budget = plan.budget.warm();
        }
        return last;
    }

    private void add(PaperScheme of, String operation, ToDoubleFunction<PaperScheme.Millis> column, double millis) {
        double paper = column.applyAsDouble(of.paper());
        table.add(new Row(operation, of.name(), of.parameters(), paper, column.applyAsDouble(of.goal()), millis));
    }

    /** One search of a wrong keyword over all blocks. */
    private long search(PaperScheme of, List<StoredBlock> blocks) {
        PreparedTrapdoor trapdoor = of.wrongTrapdoor(nextWord++);
        long start = System.nanoTime();
        int matches = 0;
        for (StoredBlock block : blocks) {
            matches += of.scheme().match(trapdoor, block).size();
        }
        long nanos = System.nanoTime() - start;
        if (matches != 0) {
            throw new IllegalStateException("a wrong keyword matched");
        }
        return nanos;
    }

    private long words(Function<Keyword, Object> operation, int count) {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Sample.sink = operation.apply(Corpus.word(nextWord++));
        }
        return System.nanoTime() - start;
    }

    private void write(Path folder) throws IOException {
        List<String> rows = new ArrayList<>(List.of("operation,scheme,parameters,paper_ms,goal_ms,veilgate_ms,ratio"));
        table.forEach(row -> rows.add(String.join(
                ",",
                row.operation,
                row.scheme,
                row.parameters,
                cell("%.2f", row.paperMillis),
                cell("%.2f", row.goalMillis),
                cell("%.5f", row.millis),
                cell("%.0f", row.paperMillis / row.millis))));
        Files.write(folder.resolve("paper-table1.csv"), rows);
        List<String> lines = new ArrayList<>(List.of("figure,scheme,parameters,count,paper_ms,veilgate_ms,passes"));
        points.forEach(point -> lines.add(String.join(
                ",",
                point.figure,
                point.scheme,
                point.parameters,
                "" + point.count,
                cell("%.2f", point.paperMillis),
                cell("%.4f", point.sample.millis()),
                "" + point.sample.repetitions())));
        Files.write(folder.resolve("paper-figures.csv"), lines);
        Files.write(folder.resolve("paper-sizes.csv"), PaperSizes.rows());
        Files.write(folder.resolve("paper-ahead.csv"), ahead);
        List<String> report = PaperReport.lines(table, points);
        Files.write(folder.resolve("paper.md"), report);
        PaperReport.draw(folder, points);
        new PrintStream(System.out, true, StandardCharsets.UTF_8).println(String.join("\n", report));
    }

    /** Empty for what is not known. */
    static String cell(String format, double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }
}
