package dev.veilgate.benchmarks;

import dev.veilgate.sse.Document;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The symmetric schemes on the data and in the tables of the three studies that measure them. Writes {@code
 * sse-articles.csv}, {@code sse-rows.csv}, {@code sse-updates.csv}, {@code sse-searches.csv} and {@code sse-sizes.csv},
 * and pictures of them.
 * One thread; owner and server in one process, but for the database, which is PostgreSQL.
 */
public final class SseFigures {
    private final boolean quick;
    private final Path folder;
    private final @Nullable Path data;
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private SseFigures(boolean quick, Path folder, @Nullable Path data) {
        this.quick = quick;
        this.folder = folder;
        this.data = data;
    }

    /**
     * Measures.
     *
     * @param args {@code --quick}, or nothing, the output folder, and {@code articles} or {@code sizes} if
     *             nothing else is to be measured; {@code -Dveilgate.data} names real data
     */
    public static void main(String[] args) throws Exception {
        List<String> left = new ArrayList<>(List.of(args));
        boolean quick = left.remove("--quick");
        if (left.isEmpty()
                || left.size() > 2
                || left.size() == 2 && !List.of("articles", "sizes").contains(left.get(1))) {
            throw new IllegalArgumentException("arguments: [--quick] OUTPUT-FOLDER [articles|sizes]");
        }
        String data = System.getProperty("veilgate.data");
        SseFigures figures = new SseFigures(
                quick, Files.createDirectories(Path.of(left.getFirst())), data == null ? null : Path.of(data));
        List<Document> articles = SseData.articles(figures.data, quick ? 5 : 1_000);
        String part = left.size() == 1 ? "all" : left.get(1);
        if (!part.equals("sizes")) {
            figures.articles(articles);
        }
        if (part.equals("all")) {
            figures.others();
        }
        if (!part.equals("articles")) {
            figures.sizes(articles);
        }
    }

    private void articles(List<Document> articles) throws Exception {
        Files.write(
                folder.resolve("sse-articles-counts.csv"),
                List.of("documents,words,pairs", SseArticles.counts(articles)));
        SseTable table;
        try (SseDatabase database = new SseDatabase()) {
            table = SseArticles.measure(articles, quick ? 3 : 100, quick ? 0 : 100, database);
        }
        write("sse-articles.csv", table);
        SsePlots.drawArticles(folder, table);
    }

    private void others() throws Exception {
        Path files = Files.createTempDirectory(folder.toAbsolutePath(), "files~");
        List<Integer> sizes = quick ? List.of(20) : List.of(100, 500, 1_000, 2_000, 4_000);
        List<Integer> requests = quick ? List.of(5) : List.of(100, 500, 1_000);
        List<SseTableRows.Source> sources = new ArrayList<>();
        sources.add(new SseTableRows.Source("people", SseData.people(sizes.getLast())));
        if (data != null) {
            sources.add(new SseTableRows.Source("mail headers", SseData.headers(data, sizes.getLast())));
        }
        SseTable rows =
                SseTableRows.measure(sources, sizes, requests, List.of(SseStore.memory(), SseStore.files(files)));
        write("sse-rows.csv", rows);

        if (!quick) {
            SseDeletions.measure(SseDeletions.Plan.WARM_UP);
        }
        SseDeletions.Tables deletions = SseDeletions.measure(quick ? SseDeletions.Plan.QUICK : SseDeletions.Plan.FULL);
        write("sse-updates.csv", deletions.updates());
        write("sse-searches.csv", deletions.searches());
        delete(files);
        SsePlots.draw(folder, rows, deletions);
    }

    /** Sizes for the articles once, and for so many that each scheme has a million pairs. */
    private void sizes(List<Document> articles) throws Exception {
        long once =
                articles.stream().mapToLong(article -> article.words().size()).sum();
        Path files = Files.createTempDirectory(folder.toAbsolutePath(), "files~");
        write("sse-sizes.csv", SseSizes.measure(articles, List.of(once, quick ? 500 : 1_000_000L), files));
        delete(files);
    }

    private static void delete(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private void write(String name, SseTable table) throws IOException {
        Files.write(folder.resolve(name), table.lines());
        out.println(name);
        table.lines().forEach(out::println);
    }
}
