package dev.veilgate.benchmarks;

import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.index.BlockFields;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.FSDirectory;

/**
 * Distance of a first search from its limit: a search for a word that is nowhere reads the hot value of each block
 * once, which cannot be faster than the machine reads memory.
 *
 * <p>Writes {@code limit.csv}: hot bytes, what reading as many takes, and what the search takes, on one thread and on
 * two.
 */
public final class ScanFigures {
    /** Much more than a cache holds. */
    private static final int LONGS = 64 << 20;

    private static final int PASSES = 12;
    private static final int ROUNDS = 20;
    private static final int MAX_THREADS = 2;

    private ScanFigures() {}

    /** @param args the folder of {@link StoreFigures}, and the output folder */
    public static void main(String[] args) throws Exception {
        if (args.length != 2) {
            throw new IllegalArgumentException("arguments: DATA-FOLDER OUTPUT-FOLDER");
        }
        Path data = Path.of(args[0]);
        List<String> table = rows(StoreData.logs(data, 1_000_000), StoreData.mails(data, 50_000), LONGS);
        Files.write(Files.createDirectories(Path.of(args[1])).resolve("limit.csv"), table);
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        table.forEach(out::println);
    }

    static List<String> rows(Path logs, Path mails, int longs) throws Exception {
        List<String> rows = new ArrayList<>();
        rows.add("data,threads,hot_bytes,memory_gb_per_s,limit_ms,first_ms_median,ratio");
        for (int threads = 1; threads <= MAX_THREADS; threads++) {
            double bytesPerMilli = memorySpeed(longs, threads);
            rows.add(row("logs", logs, threads, bytesPerMilli));
            rows.add(row("mails", mails, threads, bytesPerMilli));
        }
        return rows;
    }

    private static String row(String name, Path folder, int threads, double bytesPerMilli) throws Exception {
        long bytes = hotBytes(folder);
        double limit = bytes / bytesPerMilli;
        double first = firstMillis(folder, threads);
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%.1f,%.2f,%.2f,%.2f",
                name,
                threads,
                bytes,
                bytesPerMilli / 1e6,
                limit,
                first,
                first / limit);
    }

    private static long hotBytes(Path folder) throws IOException {
        long bytes = 0;
        try (FSDirectory directory = FSDirectory.open(StoreData.store(folder));
                DirectoryReader reader = DirectoryReader.open(directory)) {
            for (LeafReaderContext leaf : reader.leaves()) {
                BinaryDocValues hot = DocValues.getBinary(leaf.reader(), BlockFields.HOT);
                while (hot.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
                    bytes += hot.binaryValue().length;
                }
            }
        }
        return bytes;
    }

    /** The median of warm searches for words that are nowhere, nothing of them remembered. */
    private static double firstMillis(Path folder, int threads) throws Exception {
        List<Double> millis = new ArrayList<>();
        try (EnvelopeStore store = EnvelopeStore.embedded(StoreData.store(folder), StoreData.SCHEMES, 0, threads)) {
            for (int round = 0; round < ROUNDS; round++) {
                for (StoreData.Term term : StoreData.terms(folder)) {
                    if (term.kind().equals("absent")) {
                        long start = System.nanoTime();
                        StoreFigures.search(store, term);
                        millis.add((System.nanoTime() - start) / 1e6);
                    }
                }
            }
        }
        List<Double> warm = millis.subList(millis.size() / 2, millis.size());
        return warm.stream().sorted().toList().get(warm.size() / 2);
    }

    /** Bytes that all threads together read in a millisecond, in their best pass. */
    private static double memorySpeed(int longs, int threads) throws Exception {
        List<long[]> parts = IntStream.range(0, threads)
                .mapToObj(i -> new long[longs / threads])
                .toList();
        parts.forEach(part -> Arrays.fill(part, 1));
        long best = Long.MAX_VALUE;
        try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
            for (int pass = 0; pass < PASSES; pass++) {
                long start = System.nanoTime();
                long sum = 0;
                for (Future<Long> each : executor.invokeAll(parts.stream()
                        .map(part -> (Callable<Long>) () -> sum(part))
                        .toList())) {
                    sum += each.get();
                }
                best = Math.min(best, System.nanoTime() - start);
                if (sum != (long) longs / threads * threads) {
                    throw new IllegalStateException("the sum of " + longs + " ones is " + sum);
                }
            }
        }
        return (double) longs / threads * threads * Long.BYTES / (best / 1e6);
    }

    private static long sum(long[] part) {
        long sum = 0;
        for (long each : part) {
            sum += each;
        }
        return sum;
    }
}
