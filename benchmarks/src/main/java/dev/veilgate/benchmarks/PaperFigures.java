package dev.veilgate.benchmarks;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.SlotMatch;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.TrapdoorStore;
import dev.veilgate.peks.lattice.ntru.Ciphertext;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer.SlotPadding;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.peks.lattice.ntru.Trapdoor;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler;

/**
 * Reproduces Table 1 and Figures 2 to 4 of the NTRU-PEKS paper with this implementation, the paper's printed numbers beside
 * it: times of Test, PEKS and Trapdoor, and search, encryption and trapdoor time against the number of records or keywords.
 * Writes {@code paper-table1.csv}, {@code paper-figures.csv} and one picture a figure into the folder that it is given.
 *
 * <p>Every figure is the median of {@value #REPETITIONS} passes in one thread, in wall-clock time.
 */
public final class PaperFigures {
    private static final int REPETITIONS = 5;
    private static final int[] RECORDS = {2_000, 4_000, 6_000, 8_000, 10_000};
    private static final int[] KEYWORDS = {500, 1_000, 1_500, 2_000};

    private PaperFigures() {}

    /** One parameter set of the paper, with what its Table 1 prints, in milliseconds. */
    private record Row(
            NtruParameters parameters,
            String lambda,
            double paperTestMillis,
            double paperEncryptMillis,
            double paperTrapdoorMillis) {}

    private static final List<Row> ROWS = List.of(
            new Row(NtruParameters.N512_Q24, "80", 0.34, 0.69, 5.15),
            new Row(NtruParameters.N1024_Q27, "192", 1.23, 2.50, 17.35));

    /** @param args the output folder */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        Files.createDirectories(folder);
        List<String> table = new ArrayList<>();
        table.add("operation,lambda,N,paper_ms,veilgate_ms,ratio");
        List<String> figures = new ArrayList<>();
        figures.add("figure,lambda,N,count,paper_ms,veilgate_ms");
        for (Row row : ROWS) {
            measure(row, table, figures);
        }
        Files.write(folder.resolve("paper-table1.csv"), table);
        Files.write(folder.resolve("paper-figures.csv"), figures);
        draw(folder, figures, "search", "Search time", "records (one keyword each)");
        draw(folder, figures, "encryption", "Encryption time", "keywords");
        draw(folder, figures, "trapdoor", "Trapdoor time", "keywords");
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.forEach(out::println);
        figures.forEach(out::println);
    }

    private static void measure(Row row, List<String> table, List<String> figures) throws Exception {
        Corpus corpus = new Corpus(row.parameters);
        int most = RECORDS[RECORDS.length - 1];
        List<StoredBlock> blocks = corpus.blocks(most, 1, 1, most, SlotPadding.ONE_KEYWORD_PER_BLOCK);
        double search = 0;
        for (int count : RECORDS) {
            search = median(() -> search(corpus, blocks.subList(0, count)));
            figures.add(line("search", row, count, row.paperTestMillis * count, search));
        }
        table.add(tableLine("Test (one slot with early rejection)", row, row.paperTestMillis, search / most));
        table.add(tableLine("Test (the paper's form)", row, row.paperTestMillis, paperTest(corpus)));
        double encryption = 0;
        double trapdoors = 0;
        for (int count : KEYWORDS) {
            encryption = median(() -> encrypt(corpus, count));
            figures.add(line("encryption", row, count, row.paperEncryptMillis * count, encryption));
            trapdoors = median(() -> trapdoors(corpus, count));
            figures.add(line("trapdoor", row, count, row.paperTrapdoorMillis * count, trapdoors));
        }
        int keywords = KEYWORDS[KEYWORDS.length - 1];
        table.add(tableLine("PEKS (the paper's form)", row, row.paperEncryptMillis, encryption / keywords));
        table.add(tableLine("Trapdoor", row, row.paperTrapdoorMillis, trapdoors / keywords));
    }

    private static int nextWord;

    /** One search of a wrong keyword over all blocks. */
    private static long search(Corpus corpus, List<StoredBlock> blocks) {
        PreparedTrapdoor trapdoor = corpus.wrongTrapdoor(nextWord++);
        long start = System.nanoTime();
        int matches = 0;
        for (List<SlotMatch> ofBlock : corpus.scheme().matchBlocks(trapdoor, blocks)) {
            matches += ofBlock.size();
        }
        long nanos = System.nanoTime() - start;
        if (matches != 0) {
            throw new IllegalStateException("a wrong keyword matched");
        }
        return nanos;
    }

    private static double paperTest(Corpus corpus) throws Exception {
        Ciphertext ciphertext = corpus.peks().encrypt(corpus.keys().publicKey(), Corpus.DOMAIN, Corpus.word(0));
        Trapdoor wrong =
                Trapdoor.decode(corpus.wrongTrapdoor(nextWord++).trapdoor().bytes());
        int count = 2_000;
        return median(() -> {
                    long start = System.nanoTime();
                    for (int i = 0; i < count; i++) {
                        if (corpus.peks().test(wrong, ciphertext)) {
                            throw new IllegalStateException("a wrong keyword matched");
                        }
                    }
                    return System.nanoTime() - start;
                })
                / count;
    }

    private static long encrypt(Corpus corpus, int count) {
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            corpus.peks().encrypt(corpus.keys().publicKey(), Corpus.DOMAIN, Corpus.word(nextWord++));
        }
        return System.nanoTime() - start;
    }

    private static long trapdoors(Corpus corpus, int count) throws IOException {
        TrapdoorStore store = new Corpus.MemoryStore();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Keyword word = Corpus.word(nextWord++);
            corpus.peks().trapdoor(corpus.keys().secretKey(), Corpus.DOMAIN, word, store);
        }
        return System.nanoTime() - start;
    }

    /** A pass that returns its nanoseconds. */
    private interface Pass {
        long run() throws Exception;
    }

    /** Median of the passes after one that is not counted, in milliseconds. */
    private static double median(Pass pass) throws Exception {
        pass.run();
        long[] nanos = new long[REPETITIONS];
        for (int i = 0; i < REPETITIONS; i++) {
            nanos[i] = pass.run();
        }
        Arrays.sort(nanos);
        return nanos[REPETITIONS / 2] / 1e6;
    }

    private static String line(String figure, Row row, int count, double paper, double ours) {
        return String.format(
                Locale.ROOT, "%s,%s,%d,%d,%.2f,%.4f", figure, row.lambda, row.parameters.n(), count, paper, ours);
    }

    private static String tableLine(String operation, Row row, double paper, double ours) {
        return String.format(
                Locale.ROOT,
                "%s,%s,%d,%.2f,%.5f,%.0f",
                operation,
                row.lambda,
                row.parameters.n(),
                paper,
                ours,
                paper / ours);
    }

    private static void draw(Path folder, List<String> figures, String figure, String title, String axis)
            throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(900)
                .height(560)
                .title(title + ", one thread")
                .xAxisTitle(axis)
                .yAxisTitle("milliseconds (logarithmic)")
                .build();
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        for (Row row : ROWS) {
            List<String[]> points = figures.stream()
                    .map(line -> line.split(","))
                    .filter(cells -> cells[0].equals(figure) && cells[1].equals(row.lambda))
                    .toList();
            double[] counts = column(points, 3);
            chart.addSeries("paper, N = " + row.parameters.n(), counts, column(points, 4));
            chart.addSeries("Veilgate, N = " + row.parameters.n(), counts, column(points, 5));
        }
        try (OutputStream out = Files.newOutputStream(folder.resolve("paper-" + figure + ".png"))) {
            ChartEncoder.saveChart(chart, out, "png");
        }
    }

    private static double[] column(List<String[]> points, int index) {
        return points.stream()
                .mapToDouble(cells -> Double.parseDouble(cells[index]))
                .toArray();
    }
}
