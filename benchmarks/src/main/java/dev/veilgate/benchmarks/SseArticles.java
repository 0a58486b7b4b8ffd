package dev.veilgate.benchmarks;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.SseExpression;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The study of mobile devices: indexing and searching 1,000 articles over HTTP, times of owner and of the whole apart.
 * A search is for a random word of the articles, never the same twice.
 */
final class SseArticles {
    private static final double NOT_PRINTED = Double.NaN;

    private final List<Document> articles;
    private final List<Keyword> words;
    private final int searches;
    private final SseStore store;
    private final SseTable table;

    private static final String[] COLUMNS = {
        "scheme",
        "variant",
        "store",
        "operation",
        "words",
        "samples",
        "owner_ms",
        "median_ms",
        "lower_ms",
        "upper_ms",
        "printed_ms"
    };

    private SseArticles(List<Document> articles, int searches, SseStore store, SseTable table) {
        this.articles = articles;
        this.words = SseData.words(articles);
        this.searches = searches;
        this.store = store;
        this.table = table;
    }

    /** The printed times: index a document on a telephone of 2013, search on a laptop of 2011. */
    private record Printed(double index, double search) {
        static final Printed NOTHING = new Printed(NOT_PRINTED, NOT_PRINTED);
    }

    /**
     * Measures with cells in memory, and what the study has with those of the server in a database.
     *
     * @param warmUp articles that are measured once before, until it is compiled; not if there are none
     */
    static SseTable measure(List<Document> articles, int searches, int warmUp, SseStore database) throws IOException {
        if (warmUp > 0) {
            List<Document> few = articles.subList(0, Math.min(warmUp, articles.size()));
            new SseArticles(few, Math.min(20, searches), SseStore.memory(), new SseTable(COLUMNS)).inMemory();
        }
        SseTable table = new SseTable(COLUMNS);
        new SseArticles(articles, searches, SseStore.memory(), table).inMemory();
        new SseArticles(articles, searches, database, table).inDatabase();
        return table;
    }

    private void inMemory() throws IOException {
        words("suise", "SUISE", Map.of(), Printed.NOTHING);
        indexOnly("vasst16", "VASST16", Map.of(), 100, 1_000);
        words("vasst16", "VASST16 without the second level", Map.of("second-level", 0L), Printed.NOTHING);
        words("codeword", "codewords", Map.of(), Printed.NOTHING);
        words("aura", "Aura", Map.of(), Printed.NOTHING);
        prefixes("suise", "SUISE2", Map.of("prefixes", 1L), Printed.NOTHING);
        prefixes(
                "vasst16",
                "VASST16-2 without the second level",
                Map.of("prefixes", 1L, "second-level", 0L),
                new Printed(NOT_PRINTED, 1_800));
        indexOnly("vasst16", "VASST16-2", Map.of("prefixes", 1L), 10, 4_000);
        prefixes("chlh15", "CHLH15", Map.of(), Printed.NOTHING);
    }

    private void inDatabase() throws IOException {
        words("suise", "SUISE", Map.of(), new Printed(100, 1_800));
        words("vasst16", "VASST16 without the second level", Map.of("second-level", 0L), new Printed(NOT_PRINTED, 500));
        prefixes("suise", "SUISE2", Map.of("prefixes", 1L), new Printed(400, 6_400));
        prefixes("chlh15", "CHLH15", Map.of(), new Printed(500, 900));
    }

    private SseRun indexed(String scheme, String variant, Map<String, Long> parameters, int count, double printed)
            throws IOException {
        SseRun run = new SseRun(scheme, parameters, new MemoryCells(), store.open(), true);
        List<SseRun.Cost> costs = new ArrayList<>();
        for (Document article : articles.subList(0, count)) {
            costs.add(run.cost(owner -> owner.add(List.of(article))));
        }
        row(variant, scheme, "index a document", 0, costs, printed);
        return run;
    }

    private void indexOnly(String scheme, String variant, Map<String, Long> parameters, int count, double printed)
            throws IOException {
        indexed(scheme, variant, parameters, Math.min(count, articles.size()), printed)
                .close();
    }

    private void words(String scheme, String variant, Map<String, Long> parameters, Printed printed)
            throws IOException {
        try (SseRun run = indexed(scheme, variant, parameters, articles.size(), printed.index())) {
            Random random = new Random(3);
            boolean ranked = scheme.equals("vasst16");
            search(run, scheme, variant, "search", 1, printed.search(), () -> question(random, 1, ranked));
            if (!scheme.equals("aura")) {
                for (int k = 2; k <= 5; k++) {
                    int of = k;
                    double more = scheme.equals("suise") ? printed.search() + 1_000 * (k - 1) : NOT_PRINTED;
                    search(run, scheme, variant, "search", k, more, () -> question(random, of, ranked));
                }
            }
            SseExpression same = question(random, 1, ranked);
            run.cost(owner -> owner.search(same));
            search(run, scheme, variant, "search again", 1, NOT_PRINTED, () -> same);
        }
    }

    private SseExpression question(Random random, int count, boolean ranked) {
        List<Keyword> asked = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            asked.add(words.get(random.nextInt(words.size())));
        }
        if (ranked) {
            return new SseExpression.Best(asked, 10);
        }
        return count == 1
                ? new SseExpression.Word(asked.getFirst())
                : new SseExpression.AllOf(asked.stream()
                        .<SseExpression>map(SseExpression.Word::new)
                        .toList());
    }

    private void prefixes(String scheme, String variant, Map<String, Long> parameters, Printed printed)
            throws IOException {
        try (SseRun run = indexed(scheme, variant, parameters, articles.size(), printed.index())) {
            Random random = new Random(4);
            search(run, scheme, variant, "search a prefix", 1, printed.search(), () -> {
                Keyword word = words.get(random.nextInt(words.size()));
                String beginning = word.value()
                        .substring(0, 1 + random.nextInt(word.value().length()));
                return scheme.equals("chlh15")
                        ? new SseExpression.Pattern(word.field(), beginning, "")
                        : new SseExpression.Prefix(Keyword.text(word.field(), beginning));
            });
        }
    }

    @FunctionalInterface
    private interface Questions {
        SseExpression next();
    }

    private void search(
            SseRun run,
            String scheme,
            String variant,
            String operation,
            int count,
            double printed,
            Questions questions) {
        List<SseRun.Cost> costs = new ArrayList<>();
        for (int i = 0; i < searches; i++) {
            SseExpression question = questions.next();
            costs.add(run.cost(owner -> owner.search(question)));
        }
        row(variant, scheme, operation, count, costs, printed);
    }

    private void row(
            String variant, String scheme, String operation, int count, List<SseRun.Cost> costs, double printed) {
        Sample whole = Sample.of(costs.stream().mapToLong(SseRun.Cost::nanos).toArray(), 0);
        double[] owner =
                costs.stream().mapToDouble(SseRun.Cost::ownerNanos).sorted().toArray();
        table.add(
                scheme,
                variant,
                store.name(),
                operation,
                count,
                costs.size(),
                owner[owner.length / 2] / 1e6,
                whole.millis(),
                whole.lowerNanos() / 1e6,
                whole.upperNanos() / 1e6,
                Double.isNaN(printed) ? "-" : Math.round(printed));
    }

    /** The articles' numbers of documents, words, and pairs. */
    static String counts(List<Document> articles) {
        long pairs =
                articles.stream().mapToLong(article -> article.words().size()).sum();
        return articles.size() + "," + SseData.words(articles).size() + "," + pairs;
    }
}
