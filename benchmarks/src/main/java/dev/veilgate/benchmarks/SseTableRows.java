package dev.veilgate.benchmarks;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.SseExpression;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The study of rows in a cloud: its requests one after the other, to a table that is read whole for each. */
final class SseTableRows {
    private SseTableRows() {}

    /** A table with its name. */
    record Source(String name, List<Document> rows) {}

    static SseTable measure(List<Source> sources, List<Integer> sizes, List<Integer> requests, List<SseStore> stores)
            throws IOException {
        SseTable table =
                new SseTable("scheme", "table", "store", "rows", "requests", "seconds", "ms_a_request", "hits");
        for (Source source : sources) {
            for (int size : sizes) {
                List<Document> rows = source.rows().subList(0, size);
                for (int count : requests) {
                    for (String scheme : List.of("codeword", "suise")) {
                        for (SseStore store : stores) {
                            measure(scheme, source.name(), store, rows, count, table);
                        }
                    }
                }
            }
        }
        return table;
    }

    private static void measure(
            String scheme, String name, SseStore store, List<Document> rows, int requests, SseTable table)
            throws IOException {
        try (SseRun run = new SseRun(scheme, Map.of(), new MemoryCells(), store.open(), false)) {
            run.cost(owner -> owner.add(rows));
            List<Keyword> words = SseData.words(rows);
            Random random = new Random(5);
            long hits = 0;
            long start = System.nanoTime();
            for (int i = 0; i < requests; i++) {
                Keyword word = words.get(random.nextInt(words.size()));
                hits += run.run(owner -> owner.search(new SseExpression.Word(word)))
                        .documents()
                        .size();
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            table.add(scheme, name, store.name(), rows.size(), requests, seconds, seconds * 1e3 / requests, hits);
        }
    }
}
