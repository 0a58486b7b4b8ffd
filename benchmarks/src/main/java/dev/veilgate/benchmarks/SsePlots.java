package dev.veilgate.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** The pictures of {@link SseFigures}: after the studies' own, with the values that they print. */
final class SsePlots {
    private static final double[] DELETIONS = {10, 100, 1_000, 10_000};

    private SsePlots() {}

    static void drawArticles(Path folder, SseTable articles) throws IOException {
        keywords(articles.cells()).save(folder.resolve("sse-articles.png"));
    }

    static void draw(Path folder, SseTable rows, SseDeletions.Tables deletions) throws IOException {
        table(rows.cells()).save(folder.resolve("sse-rows.png"));
        insertions(deletions.updates().cells()).save(folder.resolve("sse-insertions.png"));
        sides(deletions.searches().cells()).save(folder.resolve("sse-search-sides.png"));
        for (int delay : new int[] {0, 103, 197}) {
            delayed(deletions.searches().cells(), delay).save(folder.resolve("sse-search-" + delay + "-ms.png"));
        }
    }

    private static Plot keywords(List<String[]> cells) {
        Plot plot = new Plot("Search of the articles by several words, over HTTP", "words", "milliseconds");
        String[] variants = {"SUISE", "VASST16 without the second level", "codewords"};
        for (int i = 0; i < variants.length; i++) {
            String variant = variants[i];
            for (String store : new String[] {"memory", "PostgreSQL"}) {
                Predicate<String[]> of =
                        row -> row[1].equals(variant) && row[2].equals(store) && row[3].equals("search");
                if (cells.stream().anyMatch(of)) {
                    add(plot, variant + ", " + store, i + (store.equals("memory") ? 0 : 3), cells, of, 4, 7);
                }
            }
        }
        return plot.printedLine("SUISE, printed", 0, new double[] {1, 2, 3, 4, 5}, new double[] {
                    1_800, 2_800, 3_800, 4_800, 5_800
                })
                .printedPoint("VASST16, printed", 1, 0, 1, 500)
                .printedPoint("CHLH15, printed", 3, 1, 1, 1_000);
    }

    private static Plot table(List<String[]> cells) {
        Plot plot = new Plot("Requests to a table of 20 columns by codewords, read whole for each", "rows", "seconds");
        String[] requests = {"100", "500", "1000"};
        for (int i = 0; i < requests.length; i++) {
            String count = requests[i];
            for (String store : new String[] {"memory", "file"}) {
                add(
                        plot,
                        count + " requests, " + store,
                        i + (store.equals("memory") ? 0 : requests.length),
                        cells,
                        row -> row[0].equals("codeword")
                                && row[1].equals("people")
                                && row[2].equals(store)
                                && row[4].equals(count),
                        3,
                        5);
            }
        }
        return plot;
    }

    private static Plot insertions(List<String[]> cells) {
        Plot plot =
                new Plot("One insertion, owner and server", "deletions (logarithmic)", "microseconds").logarithmicX();
        String[][] lines = {{"aura", "h 5"}, {"aura", "h 13"}, {"januspp", "15 bits"}, {"sdd", "8192 ids"}};
        double[][] printed = {
            {50, 60, 70, 90}, {90, 130, 180, 210}, {470, 4_940, 49_800, 489_700}, {26_270, 26_210, 26_220, 26_490}
        };
        for (int i = 0; i < lines.length; i++) {
            String[] line = lines[i];
            add(
                    plot,
                    (line[0] + " " + line[1]).strip(),
                    i,
                    cells,
                    row -> row[0].equals(line[0]) && row[1].equals(line[1]) && row[3].equals("insert"),
                    2,
                    5);
            plot.printedLine((line[0] + " " + line[1]).strip() + ", printed", i, DELETIONS, printed[i]);
        }
        return plot;
    }

    /** The study's figure 5, which does not say how many ids there are: ours are of the fewest. */
    private static Plot sides(List<String[]> cells) {
        Plot plot = new Plot(
                        "Aura: both sides of a search of the fewest ids", "deletions (logarithmic)", "milliseconds")
                .logarithmicX();
        double[][] owner = {{0.9, 9.8, 111.8, 1_404.0}, {0.7, 6.7, 99.4, 1_202.1}};
        double[][] server = {{397.8, 460.0, 470.6, 793.1}, {601.9, 669.2, 715.1, 837.1}};
        String[] variants = {"h 5", "h 13"};
        String fewest = cells.isEmpty() ? "" : cells.getFirst()[2];
        for (int i = 0; i < variants.length; i++) {
            String variant = variants[i];
            Predicate<String[]> of = row -> row[0].equals("aura") && row[1].equals(variant) && row[2].equals(fewest);
            add(plot, "owner, " + variant, 2 * i, cells, of, 3, 4);
            add(plot, "server, " + variant, 2 * i + 1, cells, of, 3, 5);
            plot.printedLine("owner, " + variant + ", printed", 2 * i, DELETIONS, owner[i]);
            plot.printedLine("server, " + variant + ", printed", 2 * i + 1, DELETIONS, server[i]);
        }
        return plot;
    }

    private static Plot delayed(List<String[]> cells, int delay) {
        Plot plot = new Plot("Search of one word, turns of " + delay + " ms added", "ids", "seconds");
        int column = delay == 0 ? 9 : delay == 103 ? 10 : 11;
        String[][] lines = {
            {"aura", "h 5", "10"},
            {"aura", "h 13", "10"},
            {"aura", "h 5", "10000"},
            {"aura", "h 13", "10000"},
            {"sda", "", "10"}
        };
        for (int i = 0; i < lines.length; i++) {
            String[] line = lines[i];
            add(
                    plot,
                    (line[0] + " " + line[1]).strip() + ", " + line[2] + " deletions",
                    i,
                    cells,
                    row -> row[0].equals(line[0]) && row[1].equals(line[1]) && row[3].equals(line[2]),
                    2,
                    column);
        }
        return plot;
    }

    private static void add(
            Plot plot, String name, int colour, List<String[]> cells, Predicate<String[]> of, int x, int y) {
        List<String[]> rows = cells.stream().filter(of).toList();
        plot.line(
                name,
                colour,
                rows.stream().mapToDouble(row -> Double.parseDouble(row[x])).toArray(),
                rows.stream().mapToDouble(row -> Double.parseDouble(row[y])).toArray());
    }
}
