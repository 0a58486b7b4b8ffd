package dev.veilgate.benchmarks;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.SseExpression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The evaluation of Aura beside SDd and Janus++: one word with many ids, of which some are deleted. Delays are not
 * waited for: the number of turns times the delay is added. The study counts an insertion of Aura as half a turn, since
 * its owner does not wait for an answer.
 */
final class SseDeletions {
    private static final Keyword WORD = Keyword.text("text", "word");
    private static final int BATCH = 1_000;
    private static final int PUNCTURES_OF_LONG_TAGS = 1_000;

    private final SseTable updates = new SseTable(
            "scheme",
            "variant",
            "deletions",
            "operation",
            "samples",
            "owner_us",
            "server_us",
            "bytes",
            "turns",
            "ms_at_103",
            "ms_at_197");
    private final SseTable searches = new SseTable(
            "scheme",
            "variant",
            "ids",
            "deletions",
            "owner_ms",
            "server_ms",
            "sent_bytes",
            "received_bytes",
            "turns",
            "seconds",
            "seconds_at_103",
            "seconds_at_197",
            "hits",
            "findings");

    private SseDeletions() {}

    /**
     * The sizes.
     *
     * @param deletions      of the tables
     * @param ids            of the searches
     * @param updates        single ones that are timed
     * @param punctured      most ids of Janus++, whose additions and searches take as many trees as deletions
     * @param levels         of SDd, which is filled to a half before its updates are timed
     */
    record Plan(List<Integer> deletions, List<Integer> ids, int updates, int punctured, int levels) {
        static final Plan FULL =
                new Plan(List.of(10, 100, 1_000, 10_000), List.of(200_000, 600_000, 1_000_000), 2_000, 2_000, 13);
        /** A first round that is not counted, for the compiler. */
        static final Plan WARM_UP = new Plan(List.of(100), List.of(50_000), 2_000, 500, 10);

        static final Plan QUICK = new Plan(List.of(10), List.of(200), 20, 30, 5);
    }

    /** The tables of updates and of searches. */
    record Tables(SseTable updates, SseTable searches) {}

    static Tables measure(Plan plan) throws IOException {
        SseDeletions figures = new SseDeletions();
        for (int deletions : plan.deletions()) {
            for (long hashes : new long[] {5, 13}) {
                Map<String, Long> parameters = Map.of("hashes", hashes, "deletions", (long) deletions);
                String variant = "h " + hashes;
                figures.updates("aura", variant, parameters, deletions, plan.updates());
                for (int ids : plan.ids()) {
                    figures.search("aura", variant, parameters, ids, deletions);
                }
            }
            for (long bits : new long[] {15, 64}) {
                if (bits == 64 && deletions > PUNCTURES_OF_LONG_TAGS) {
                    continue; // minutes a search
                }
                Map<String, Long> parameters = Map.of("deletions", (long) deletions, "tagbits", bits);
                String variant = bits + " bits";
                int ids = Math.min(plan.punctured(), Math.max(20, 2_000_000 / deletions));
                figures.updates("januspp", variant, parameters, deletions, Math.min(ids, plan.updates()));
                figures.search("januspp", variant, parameters, plan.punctured(), deletions);
            }
        }
        figures.steps(plan);
        return new Tables(figures.updates, figures.searches);
    }

    /** SDd at a size that can be filled one id at a time, and SDa, its amortised twin, at all. */
    private void steps(Plan plan) throws IOException {
        Map<String, Long> small =
                Map.of("levels", (long) plan.levels(), "own-levels", Math.min(10L, plan.levels() - 2L));
        int ids = 1 << plan.levels();
        try (SseRun run = new SseRun("sdd", small, new MemoryCells(), new MemoryCells(), false)) {
            List<Document> documents = SseData.ofOneWord(WORD, 0, ids);
            List<SseRun.Cost> added = new ArrayList<>();
            for (int i = 0; i < ids; i++) {
                List<Document> one = documents.subList(i, i + 1);
                added.add(run.cost(owner -> owner.add(one)));
            }
            row("sdd", ids + " ids", 10, "insert", added.subList(ids - Math.min(ids / 2, plan.updates()), ids));
            List<SseRun.Cost> deleted = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                List<Document> one = documents.subList(i, i + 1);
                deleted.add(run.cost(owner -> owner.delete(one)));
            }
            row("sdd", ids + " ids", 10, "delete", deleted);
            searched("sdd", "", ids - 10, 10, run);
        }
        for (int count : plan.ids()) {
            search("sda", "", Map.of("levels", 20L), count, plan.deletions().getFirst());
        }
    }

    private void updates(String scheme, String variant, Map<String, Long> parameters, int deletions, int count)
            throws IOException {
        try (SseRun run = new SseRun(scheme, parameters, new MemoryCells(), new MemoryCells(), false)) {
            List<Document> documents = SseData.ofOneWord(WORD, 0, Math.max(2 * count, deletions));
            List<SseRun.Cost> added = new ArrayList<>();
            for (int i = 0; i < documents.size(); i++) {
                List<Document> one = documents.subList(i, i + 1);
                SseRun.Cost cost = run.cost(owner -> owner.add(one));
                if (i >= documents.size() - count) {
                    added.add(cost);
                }
            }
            row(scheme, variant, deletions, "insert", added);
            List<SseRun.Cost> deleted = new ArrayList<>();
            for (int i = 0; i < Math.min(deletions, documents.size()); i++) {
                List<Document> one = documents.subList(i, i + 1);
                deleted.add(run.cost(owner -> owner.delete(one)));
            }
            row(scheme, variant, deletions, "delete", deleted);
        }
    }

    private void row(String scheme, String variant, int deletions, String operation, List<SseRun.Cost> costs) {
        double owner =
                median(costs.stream().mapToDouble(SseRun.Cost::ownerNanos).toArray());
        double server =
                median(costs.stream().mapToDouble(SseRun.Cost::serverNanos).toArray());
        double turns = costs.stream().mapToInt(SseRun.Cost::turns).average().orElseThrow();
        double millis = (owner + server) / 1e6;
        updates.add(
                scheme,
                variant,
                deletions,
                operation,
                costs.size(),
                owner / 1e3,
                server / 1e3,
                costs.stream().mapToLong(SseRun.Cost::sent).sum() / costs.size(),
                turns,
                millis + 103 * turns,
                millis + 197 * turns);
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private void search(String scheme, String variant, Map<String, Long> parameters, int ids, int deletions)
            throws IOException {
        try (SseRun run = new SseRun(scheme, parameters, new MemoryCells(), new MemoryCells(), false)) {
            List<Document> documents = SseData.ofOneWord(WORD, 0, ids + deletions);
            for (int from = 0; from < documents.size(); from += BATCH) {
                List<Document> batch = documents.subList(from, Math.min(documents.size(), from + BATCH));
                run.run(owner -> owner.add(batch));
            }
            int step = documents.size() / deletions;
            for (int i = 0; i < deletions; i++) {
                List<Document> one = documents.subList(i * step, i * step + 1);
                run.run(owner -> owner.delete(one));
            }
            searched(scheme, variant, ids, deletions, run);
        }
    }

    private void searched(String scheme, String variant, int ids, int deletions, SseRun run) {
        System.gc();
        SseRun.Cost cost = run.cost(owner -> owner.search(new SseExpression.Word(WORD)));
        Hits hits = (Hits) Objects.requireNonNull(Sample.sink);
        double seconds = cost.nanos() / 1e9;
        searches.add(
                scheme,
                variant,
                ids,
                deletions,
                cost.ownerNanos() / 1e6,
                cost.serverNanos() / 1e6,
                cost.sent(),
                cost.received(),
                cost.turns(),
                seconds,
                seconds + 0.103 * cost.turns(),
                seconds + 0.197 * cost.turns(),
                hits.documents().size(),
                hits.findings().size());
    }
}
