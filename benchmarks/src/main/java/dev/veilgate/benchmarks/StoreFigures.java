package dev.veilgate.benchmarks;

import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.SearchHit;
import dev.veilgate.gateway.store.SearchProgress;
import dev.veilgate.gateway.store.SearchSink;
import dev.veilgate.peks.PreparedTrapdoor;
import dev.veilgate.peks.StoredBlock;
import dev.veilgate.peks.lattice.ntru.NtruIndexSealer;
import dev.veilgate.peks.lattice.ntru.NtruParameters;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the embedded store takes and how fast it searches: one keyword over a million log lines and over 50,000 mails, for the first time and again, with files in the page
 * cache and the code compiled; bytes on disk; Test of many standing routes against one mail. Writes {@code search.csv}, {@code stored-size.csv} and {@code routes.csv}. Every search's count of records is compared with
 * what was sealed.
 */
public final class StoreFigures {
    private static final int LINES = 1_000_000;
    private static final int MAILS = 50_000;
    private static final int ROUTES = 1_000;
    private static final long ANSWER_BYTES = 64 << 20;
    private static final int SEARCH_THREADS = 2;
    private static final int REPETITIONS = 9;

    /** The compiler has the same two cores: nothing is measured before it is busy for less than this part of a round. */
    private static final double COMPILER_SHARE = 0.05;

    private static final int QUIET_ROUNDS = 3;
    private static final long MAX_WARM_UP_NANOS = 180_000_000_000L;

    private StoreFigures() {}

    /** @param args a folder for filled stores, which are made if they are not there and can be used again, and the output folder */
    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            throw new IllegalArgumentException("arguments: DATA-FOLDER OUTPUT-FOLDER");
        }
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        Path output = Files.createDirectories(Path.of(args[1]));
        Path data = Path.of(args[0]);
        write(output.resolve("stored-size.csv"), sizes(data, LINES), out);
        write(output.resolve("search.csv"), searches(data, LINES, MAILS), out);
        write(output.resolve("routes.csv"), routes(ROUTES), out);
    }

    private static void write(Path file, List<String> table, PrintStream out) throws IOException {
        Files.write(file, table);
        table.forEach(out::println);
    }

    /** Bytes on disk against those of the lines. */
    static List<String> sizes(Path data, int lines) throws Exception {
        return List.of(
                "data,raw_bytes,stored_bytes,ratio",
                size("real_logs", StoreData.realLogs(data)),
                size("generated_logs", StoreData.logs(data, lines)));
    }

    /** Times of searches. */
    static List<String> searches(Path data, int lines, int mails) throws Exception {
        List<String> searches = new ArrayList<>();
        searches.add(
                "data,word,searches,records_mean,blocks,first_ms_median,first_ms_max,again_ms_median,again_ms_max");
        searches.addAll(searches("logs", StoreData.logs(data, lines)));
        searches.addAll(searches("mails", StoreData.mails(data, mails)));
        return searches;
    }

    /** Test of the routes' trapdoors, none of which matches, against the one block of a mail of 150 words; on one thread. */
    static List<String> routes(int routes) {
        Corpus corpus = new Corpus(NtruParameters.N2048_Q29);
        List<PreparedTrapdoor> trapdoors =
                IntStream.range(0, routes).mapToObj(corpus::wrongTrapdoor).toList();
        StoredBlock mail = corpus.blocks(1, 150, 1, 150, NtruIndexSealer.SlotPadding.MULTIPLE_OF_16)
                .getFirst();
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            long start = System.nanoTime();
            if (corpus.scheme().matchTrapdoors(trapdoors, mail).stream().anyMatch(found -> !found.isEmpty())) {
                throw new IllegalStateException("a word that is not there was found");
            }
            millis.add((System.nanoTime() - start) / 1e6);
        }
        List<Double> warm = millis.subList(2_000, millis.size());
        return List.of(
                "routes,test_ms_median,test_ms_max",
                String.format(Locale.ROOT, "%d,%.2f,%.2f", routes, median(warm), max(warm)));
    }

    static String size(String name, Path folder) throws IOException {
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
        warmUp(folder);
        try (EnvelopeStore store = open(folder)) {
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

    /**
     * Searches for the first time and again until the code is compiled, for all kinds of words, as it will be measured: what was compiled
     * while nothing was found or remembered is compiled anew at the first that is.
     */
    private static void warmUp(Path folder) throws Exception {
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        int quiet = 0;
        long begin = System.nanoTime();
        while (quiet < QUIET_ROUNDS) {
            long start = System.nanoTime();
            if (start - begin > MAX_WARM_UP_NANOS) {
                throw new IllegalStateException("the compiler is still busy after three minutes of searches");
            }
            long compiledMillis = compiler.getTotalCompilationTime();
            try (EnvelopeStore store = open(folder)) {
                for (StoreData.Term term : StoreData.terms(folder)) {
                    search(store, term, new Times());
                    search(store, term, new Times());
                }
            }
            double millis = (System.nanoTime() - start) / 1e6;
            boolean busy = compiler.getTotalCompilationTime() - compiledMillis > COMPILER_SHARE * millis;
            quiet = busy ? 0 : quiet + 1;
        }
    }

    /** Opens a filled store as a gateway does. */
    static EnvelopeStore open(Path folder) throws IOException {
        return EnvelopeStore.embedded(StoreData.store(folder), StoreData.SCHEMES, ANSWER_BYTES, SEARCH_THREADS);
    }

    /** Milliseconds, with making the trapdoor ready. */
    private static double search(EnvelopeStore store, StoreData.Term term, Times times) throws Exception {
        long start = System.nanoTime();
        SearchProgress last = search(store, term);
        double millis = (System.nanoTime() - start) / 1e6;
        times.blocks = last.blocksTested() + last.blocksRemembered();
        return millis;
    }

    /** Searches to the end; finds what the term should find. */
    static SearchProgress search(EnvelopeStore store, StoreData.Term term) throws Exception {
        SearchRequest request = SearchRequest.allOf("bench", List.of(List.of(term.trapdoor())));
        SearchProgress last = store.search(
                PreparedSearch.of(request, StoreData.SCHEMES),
                new SearchSink() {
                    @Override
                    public void hit(SearchHit hit) {}

                    @Override
                    public void progress(SearchProgress progress) {}
                },
                () -> false);
        if (last.records() != term.records()) {
            throw new IllegalStateException("found " + last.records() + " records, not " + term.records());
        }
        return last;
    }

    private static double median(List<Double> of) {
        return of.stream().sorted().toList().get(of.size() / 2);
    }

    private static double max(List<Double> of) {
        return of.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }
}
