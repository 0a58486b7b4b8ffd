package dev.veilgate.benchmarks;

import dev.veilgate.archive.store.MvStoreCells;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.MemoryCells;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Memory and bytes on disk of each scheme, of both sides, when an archive has many pairs of a word and a document. */
final class SseSizes {
    private static final int BATCH = 50;

    private SseSizes() {}

    /** A scheme with its parameters. */
    private record Variant(String scheme, String name, Map<String, Long> parameters) {}

    private static final List<Variant> VARIANTS = List.of(
            new Variant("suise", "SUISE", Map.of()),
            new Variant("vasst16", "VASST16 without the second level", Map.of("second-level", 0L)),
            new Variant("chlh15", "CHLH15", Map.of()),
            new Variant("codeword", "codewords", Map.of()),
            new Variant("aura", "Aura with h 5", Map.of()),
            new Variant("januspp", "Janus++ with 10 deletions", Map.of("deletions", 10L)),
            new Variant("sda", "SDa", Map.of("levels", 21L)));

    /**
     * Measures.
     *
     * @param articles are added again and again under new ids
     * @param pairs    at least so many, each of these
     * @param folder   for files, which are deleted
     */
    static SseTable measure(List<Document> articles, List<Long> pairs, Path folder) throws IOException {
        SseTable table = new SseTable(
                "scheme",
                "variant",
                "pairs",
                "owner_file_bytes",
                "server_file_bytes",
                "owner_heap_bytes",
                "server_heap_bytes",
                "sent_bytes",
                "seconds_on_disk");
        for (long most : pairs) {
            for (Variant variant : VARIANTS) {
                measure(variant, articles, most, folder, table);
            }
        }
        return table;
    }

    private static void measure(Variant variant, List<Document> articles, long pairs, Path folder, SseTable table)
            throws IOException {
        Path owner = folder.resolve("owner.mv");
        Path server = folder.resolve("server.mv");
        long start = System.nanoTime();
        Added added = add(variant, articles, pairs, MvStoreCells.create(owner), MvStoreCells.create(server));
        double seconds = (System.nanoTime() - start) / 1e9;
        long before = heap();
        MemoryCells ofOwner = new MemoryCells();
        MemoryCells ofServer = new MemoryCells();
        add(variant, articles, pairs, kept(ofOwner), kept(ofServer));
        long both = heap() - before;
        ofOwner.close();
        long serverAlone = heap() - before;
        table.add(
                variant.scheme(),
                variant.name(),
                added.pairs(),
                Files.size(owner),
                Files.size(server),
                Math.max(0, both - serverAlone),
                serverAlone,
                added.sent(),
                seconds);
        ofServer.close();
        Files.delete(owner);
        Files.delete(server);
    }

    private record Added(long pairs, long sent) {}

    private static Added add(Variant variant, List<Document> articles, long pairs, CellStore owner, CellStore server)
            throws IOException {
        long added = 0;
        long sent = 0;
        long id = 0;
        try (SseRun run = new SseRun(variant.scheme(), variant.parameters(), owner, server, false)) {
            while (added < pairs) {
                List<Document> batch = new ArrayList<>();
                for (int i = 0; i < BATCH && added < pairs; i++, id++) {
                    Document article = articles.get((int) (id % articles.size()));
                    batch.add(new Document(new DocumentId(id), article.words()));
                    added += article.words().size();
                }
                sent += run.cost(of -> of.add(batch)).sent();
            }
        }
        return new Added(added, sent);
    }

    /** The same cells, which stay when they are closed. */
    private static CellStore kept(MemoryCells cells) {
        return new CellStore() {
            @Override
            public <R extends @Nullable Object, E extends Exception> R transact(Work<R, E> work) throws E {
                return cells.transact(work);
            }

            @Override
            public void close() {}
        };
    }

    private static long heap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
