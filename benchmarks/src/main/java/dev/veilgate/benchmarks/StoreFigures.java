package dev.veilgate.benchmarks;

import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.SearchHit;
import dev.veilgate.gateway.store.SearchProgress;
import dev.veilgate.gateway.store.SearchSink;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the embedded store takes and how fast it searches: one keyword over a million log lines and over 50,000 mails, for the first time and again, with files in the page
 * cache and the code compiled; bytes on disk. Writes {@code search.csv} and {@code stored-size.csv}. Every search's count of records is compared with
 * what was sealed.
 */
public final class StoreFigures {
    private static final int LINES = 1_000_000;
    private static final int MAILS = 50_000;
    private static final long ANSWER_BYTES = 64 << 20;
    private static final int SEARCH_THREADS = 2;
    private static final int REPETITIONS = 9;

    private StoreFigures() {}

    /** @param args a folder for filled stores, which are made if they are not there and can be used again, and the output folder */
    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            throw new IllegalArgumentException("arguments: DATA-FOLDER OUTPUT-FOLDER");
        }
        Path data = Path.of(args[0]);
        Path output = Files.createDirectories(Path.of(args[1]));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path logs = StoreData.logs(data, LINES);
        Path mails = StoreData.mails(data, MAILS);
        List<String> sizes = new ArrayList<>(List.of("data,raw_bytes,stored_bytes,ratio"));
        sizes.add(size("real_logs", StoreData.realLogs(data)));
        sizes.add(size("generated_logs", logs));
        Files.write(output.resolve("stored-size.csv"), sizes);
        List<String> searches = new ArrayList<>(List.of(
                "data,word,searches,records_mean,blocks,first_ms_median,first_ms_max,again_ms_median,again_ms_max"));
        searches.addAll(searches("logs", logs));
        searches.addAll(searches("mails", mails));
        Files.write(output.resolve("search.csv"), searches);
        sizes.forEach(out::println);
        searches.forEach(out::println);
    }

    private static String size(String name, Path folder) throws IOException {
        long stored = 0;
        try (Stream<Path> files = Files.walk(StoreData.store(folder))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                stored += Files.size(file);
            }
        }
        long raw = StoreData.rawBytes(folder);
        return String.format(Locale.ROOT, "%s,%d,%d,%.3f", name, raw, stored, (double) stored / raw);
    }

    /** Times of one kind of word. */
    private static final class Times {
        final List<Double> first = new ArrayList<>();
        final List<Double> again = new ArrayList<>();
        long records;
        long blocks;
    }

    private static List<String> searches(String name, Path folder) throws Exception {
        Map<String, Times> byKind = new LinkedHashMap<>();
        try (EnvelopeStore store =
                EnvelopeStore.embedded(StoreData.store(folder), StoreData.SCHEMES, ANSWER_BYTES, SEARCH_THREADS)) {
            for (StoreData.Term term : StoreData.terms(folder)) {
                Times times = byKind.computeIfAbsent(term.kind(), kind -> new Times());
                times.records += term.records();
                times.first.add(search(store, term, times));
                for (int i = 0; i < REPETITIONS; i++) {
                    times.again.add(search(store, term, times));
                }
            }
        }
        byKind.remove("warm-up");
        List<String> rows = new ArrayList<>();
        byKind.forEach((kind, times) -> rows.add(String.format(
                Locale.ROOT,
                "%s,%s,%d,%d,%d,%.2f,%.2f,%.2f,%.2f",
                name,
                kind,
                times.first.size(),
                times.records / times.first.size(),
                times.blocks,
                median(times.first),
                max(times.first),
                median(times.again),
                max(times.again))));
        return rows;
    }

    /** Milliseconds, with making the trapdoor ready. */
    private static double search(EnvelopeStore store, StoreData.Term term, Times times) throws Exception {
        SearchRequest request = SearchRequest.allOf("bench", List.of(List.of(term.trapdoor())));
        long start = System.nanoTime();
        SearchProgress last = store.search(
                PreparedSearch.of(request, StoreData.SCHEMES),
                new SearchSink() {
                    @Override
                    public void hit(SearchHit hit) {}

                    @Override
                    public void progress(SearchProgress progress) {}
                },
                () -> false);
        double millis = (System.nanoTime() - start) / 1e6;
        if (last.records() != term.records()) {
            throw new IllegalStateException("found " + last.records() + " records, not " + term.records());
        }
        times.blocks = last.blocksTested() + last.blocksRemembered();
        return millis;
    }

    private static double median(List<Double> of) {
        return of.stream().sorted().toList().get(of.size() / 2);
    }

    private static double max(List<Double> of) {
        return of.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }
}
