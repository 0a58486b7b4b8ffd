package dev.veilgate.benchmarks;

import dev.veilgate.benchmarks.PaperFigures.Point;
import dev.veilgate.benchmarks.PaperFigures.Row;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What {@link PaperFigures} measured, as Markdown and as pictures. */
final class PaperReport {
    private PaperReport() {}

    static List<String> lines(List<Row> table, List<Point> points) {
        List<String> out = new ArrayList<>();
        search(points, out);
        out.add("| operation | scheme | paper, ms | goal, ms | here, ms | paper / here |");
        out.add("|---|---|---|---|---|---|");
        for (Row row : table) {
            String millis = PaperFigures.cell(row.millis() < 1 ? "%.5f" : "%.2f", row.millis());
            out.add(String.join(
                    " | ",
                    "| " + row.operation(),
                    row.scheme() + ", " + row.parameters(),
                    PaperFigures.cell("%.2f", row.paperMillis()),
                    row.goalMillis() > 0 ? "<= " + row.goalMillis() : "",
                    row.millis() > row.goalMillis() ? "**" + millis + ", missed**" : millis,
                    PaperFigures.cell("%,.0f", row.paperMillis() / row.millis()) + " |"));
        }
        out.add("");
        out.add("Test of a pairing scheme is the product's block of one keyword, which yields the key of its posting"
                + " list; PEKS seals such a block. The paper's times of NTRU-PEKS are its Table 1 (its text has"
                + " 10,000 records in 10 s); those of BCO"
                + " and ZI are its search of 10,000 records, 400 s and 1,100 s, divided. All are of its own"
                + " machine.");
        out.add("");
        out.add("**Levels of security differ.** BLS12-381 has about 120 to 128 bits, against classical computers only."
                + " NTRU-PEKS N = 512 and N = 1024 are the paper's sets for its lambda of 80 and 192;"
                + " docs/spec/ntru-peks.md has today's estimates of both.");
        return out;
    }

    /** The largest search of each scheme. */
    private static void search(List<Point> points, List<String> out) {
        List<Point> searches =
                points.stream().filter(point -> point.figure().equals("search")).toList();
        int most = searches.stream().mapToInt(Point::count).max().orElseThrow();
        out.add(String.format(
                Locale.ROOT, "| search of %,d records, one keyword each | paper | here | passes |", most));
        out.add("|---|---|---|---|");
        searches.stream()
                .filter(point -> point.count() == most)
                .forEach(point -> out.add(String.format(
                        Locale.ROOT,
                        "| %s, %s | %,.1f s | %,.4f s | %d |",
                        point.scheme(),
                        point.parameters(),
                        point.paperMillis() / 1e3,
                        point.sample().millis() / 1e3,
                        point.sample().repetitions())));
        out.add("");
    }

    static void draw(Path folder, List<Point> points) throws IOException {
        draw(folder, points, "search", "Search time", "records (one keyword each)");
        draw(folder, points, "encryption", "Encryption time", "keywords");
        draw(folder, points, "trapdoor", "Trapdoor time", "keywords");
    }

    private static void draw(Path folder, List<Point> points, String figure, String title, String axis)
            throws IOException {
        Plot plot = new Plot(title + ", one thread", axis, "milliseconds");
        List<List<Point>> lines = points.stream()
                .filter(point -> point.figure().equals(figure))
                .collect(Collectors.groupingBy(point -> point.scheme() + ", " + point.parameters()))
                .values()
                .stream()
                .sorted(Comparator.comparingInt(line -> points.indexOf(line.getFirst())))
                .toList();
        for (int colour = 0; colour < lines.size(); colour++) {
            List<Point> line = lines.get(colour);
            String name = line.getFirst().scheme() + ", " + line.getFirst().parameters();
            double[] counts = line.stream().mapToDouble(Point::count).toArray();
            double[] paper = line.stream().mapToDouble(Point::paperMillis).toArray();
            plot.line(
                    name,
                    colour,
                    counts,
                    line.stream().mapToDouble(point -> point.sample().millis()).toArray());
            if (!Double.isNaN(paper[0])) {
                plot.printedLine("paper: " + name.replace(", BLS12-381", ""), colour, counts, paper);
            }
        }
        plot.save(folder.resolve("paper-" + figure + ".png"));
    }
}
