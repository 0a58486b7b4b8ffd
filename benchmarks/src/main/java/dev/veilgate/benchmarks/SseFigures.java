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
    private SseFigures() {}

    /** @param args {@code --quick}, or nothing, and the output folder; {@code -Dveilgate.data} names real data */
    public static void main(String[] args) throws Exception {
        boolean quick = args.length == 2 && args[0].equals("--quick");
        if (!quick && args.length != 1) {
            throw new IllegalArgumentException("arguments: [--quick] OUTPUT-FOLDER");
        }
        Path folder = Files.createDirectories(Path.of(args[args.length - 1]));
        @Nullable
        Path data = System.getProperty("veilgate.data") == null ? null : Path.of(System.getProperty("veilgate.data"));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

        List<Document> articles = SseData.articles(data, quick ? 12 : 1_000);
        Files.write(
                folder.resolve("sse-articles-counts.csv"),
                List.of("documents,words,pairs", SseArticles.counts(articles)));
        SseTable ofArticles;
        try (SseDatabase database = new SseDatabase()) {
            ofArticles = SseArticles.measure(articles, quick ? 3 : 100, database);
        }
        write(folder, "sse-articles.csv", ofArticles, out);
        Path files = Files.createTempDirectory(folder.toAbsolutePath(), "files~");

        List<Integer> sizes = quick ? List.of(20) : List.of(100, 500, 1_000, 2_000, 4_000);
        List<Integer> requests = quick ? List.of(5) : List.of(100, 500, 1_000);
        List<SseTableRows.Source> sources = new ArrayList<>();
        sources.add(new SseTableRows.Source("people", SseData.people(sizes.getLast())));
        if (data != null) {
            sources.add(new SseTableRows.Source("mail headers", SseData.headers(data, sizes.getLast())));
        }
        SseTable ofRows =
                SseTableRows.measure(sources, sizes, requests, List.of(SseStore.memory(), SseStore.files(files)));
        write(folder, "sse-rows.csv", ofRows, out);

        SseDeletions.Tables deletions = SseDeletions.measure(quick ? SseDeletions.Plan.QUICK : SseDeletions.Plan.FULL);
        write(folder, "sse-updates.csv", deletions.updates(), out);
        write(folder, "sse-searches.csv", deletions.searches(), out);
        write(folder, "sse-sizes.csv", SseSizes.measure(articles, quick ? 500 : 1_000_000, files), out);
        delete(files);
        SsePlots.draw(folder, ofArticles, ofRows, deletions);
    }

    private static void delete(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private static void write(Path folder, String name, SseTable table, PrintStream out) throws Exception {
        Files.write(folder.resolve(name), table.lines());
        out.println(name);
        table.lines().forEach(out::println);
    }
}
