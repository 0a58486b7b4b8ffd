package dev.veilgate.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexScheme;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.BlockTarget;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Random searches of random envelopes in several segments find what Test of each envelope by itself finds. */
class SealedQueryTest {
    private static final long SEED = Long.getLong("veilgate.seed", 1);
    private static final SplittableRandom RANDOM = new SplittableRandom(SEED);
    private static final IndexSchemes SCHEMES = IndexSchemes.load();
    private static final int ENVELOPES = 120;

    private static final Map<String, Envelope> STORED = new HashMap<>();
    private static final List<String> ORDER = new ArrayList<>();
    private static final AnswerCache CACHE = new AnswerCache(1 << 20);
    private static Sealed sealed;
    private static ByteBuffersDirectory directory;
    private static DirectoryReader reader;

    @BeforeAll
    static void store() throws Exception {
        System.out.println("SealedQueryTest: -Dveilgate.seed=" + SEED);
        sealed = new Sealed(RANDOM);
        directory = new ByteBuffersDirectory();
        try (IndexWriter writer =
                new IndexWriter(directory, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
            for (int i = 0; i < ENVELOPES; i++) {
                Envelope envelope = sealed.envelope(i % 5 == 0 ? Sealed.OTHER_TENANT : Sealed.TENANT);
                String id = envelope.id().toString();
                writer.addDocuments(documents(envelope, id));
                STORED.put(id, envelope);
                ORDER.add(id);
                if (i % 37 == 36) {
                    writer.commit();
                }
            }
            for (int i = 0; i < ENVELOPES; i += 11) {
                writer.deleteDocuments(new Term("id", ORDER.get(i)));
                STORED.remove(ORDER.get(i));
            }
        }
        reader = DirectoryReader.open(directory);
        assertThat(reader.leaves()).hasSize(4);
        assertThat(reader.numDeletedDocs()).isPositive();
    }

    @AfterAll
    static void close() throws IOException {
        reader.close();
        directory.close();
        sealed.close();
    }

    private static List<Document> documents(Envelope envelope, String id) throws Exception {
        List<Document> documents = new ArrayList<>();
        for (IndexBlock block : envelope.index()) {
            Document document = new Document();
            IndexScheme scheme = SCHEMES.byId(block.scheme());
            BlockFields.addBlock(
                    document, envelope.tenant(), BlockTarget.of(block), scheme.storedForm(block, envelope.context()));
            document.add(new StringField("id", id, Field.Store.NO));
            documents.add(document);
        }
        Document own = new Document();
        BlockFields.addEnvelope(own, documents.size(), envelope.recordCount());
        own.add(new StringField("id", id, Field.Store.YES));
        own.add(new StringField("tenant", envelope.tenant(), Field.Store.NO));
        own.add(new StringField("sender", envelope.sender(), Field.Store.NO));
        own.add(new LongField("first", envelope.first().toEpochMilli(), Field.Store.NO));
        own.add(new LongField("last", envelope.last().toEpochMilli(), Field.Store.NO));
        documents.add(own);
        return documents;
    }

    private static Query envelopes(SearchRequest request) {
        Filter filter = request.filter();
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        query.add(new TermQuery(new Term("tenant", request.tenant())), Occur.FILTER);
        filter.from()
                .ifPresent(from ->
                        query.add(LongField.newRangeQuery("last", from.toEpochMilli(), Long.MAX_VALUE), Occur.FILTER));
        filter.to()
                .ifPresent(to -> query.add(
                        LongField.newRangeQuery("first", Long.MIN_VALUE, to.toEpochMilli() - 1), Occur.FILTER));
        if (!filter.senders().isEmpty()) {
            List<BytesRef> senders =
                    filter.senders().stream().map(BytesRef::new).toList();
            query.add(new TermInSetQuery("sender", senders), Occur.FILTER);
        }
        return query.build();
    }

    /** Takes ids and records of hits through Lucene's own searcher. */
    private static final class Hits extends SimpleCollector {
        final Map<String, RecordSet> found = new HashMap<>();
        private LeafReaderContext context;
        private SealedScorer scorer;

        @Override
        protected void doSetNextReader(LeafReaderContext next) {
            context = next;
        }

        @Override
        public void setScorer(Scorable scorable) {
            scorer = (SealedScorer) scorable;
        }

        @Override
        public void collect(int document) throws IOException {
            String id = context.reader().storedFields().document(document).get("id");
            assertThat(found.put(id, scorer.records())).isNull();
        }

        @Override
        public ScoreMode scoreMode() {
            return ScoreMode.COMPLETE_NO_SCORES;
        }
    }

    private static Map<String, RecordSet> search(PreparedSearch search, AnswerCache cache, SearchMonitor monitor)
            throws IOException {
        return search(reader, search, cache, monitor);
    }

    @SuppressWarnings("deprecation") // a collector for one thread
    private static Map<String, RecordSet> search(
            DirectoryReader reader, PreparedSearch search, AnswerCache cache, SearchMonitor monitor)
            throws IOException {
        Hits hits = new Hits();
        new IndexSearcher(reader).search(new SealedQuery(search, envelopes(search.request()), cache, monitor), hits);
        return hits.found;
    }

    /** Segments of which a search would look only at what was found before. */
    private static List<SealedScorer.Remembered> remembered(PreparedSearch search, AnswerCache cache)
            throws IOException {
        IndexSearcher searcher = new IndexSearcher(reader);
        Query query = new SealedQuery(search, envelopes(search.request()), cache, monitor());
        Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
        List<SealedScorer.Remembered> remembered = new ArrayList<>();
        for (LeafReaderContext leaf : reader.leaves()) {
            if (weight.scorer(leaf) instanceof SealedScorer scorer && scorer.remembered() != null) {
                remembered.add(scorer.remembered());
            }
        }
        return remembered;
    }

    private static Map<String, RecordSet> plain(PreparedSearch search) throws Exception {
        Map<String, RecordSet> found = new HashMap<>();
        for (Map.Entry<String, Envelope> stored : STORED.entrySet()) {
            RecordSet records = search.match(stored.getValue(), IndexAdmission.trust(stored.getValue(), SCHEMES));
            if (!records.isEmpty()) {
                found.put(stored.getKey(), records);
            }
        }
        return found;
    }

    private static SearchMonitor monitor() {
        return new SearchMonitor(() -> false);
    }

    private static List<ScopedTrapdoor> term(String word) throws IOException {
        List<ScopedTrapdoor> term = new ArrayList<>();
        for (String scope : Sealed.SCOPES) {
            for (String epoch : Sealed.EPOCHS) {
                term.add(sealed.trapdoor(Sealed.TENANT, scope, epoch, word));
            }
        }
        return term;
    }

    private static SearchRequest randomRequest() throws IOException {
        List<List<ScopedTrapdoor>> terms = new ArrayList<>();
        int count = 1 + RANDOM.nextInt(4);
        for (int i = 0; i < count; i++) {
            List<ScopedTrapdoor> term = new ArrayList<>(term(pick(Sealed.WORDS)));
            if (RANDOM.nextInt(3) == 0) {
                term.addAll(term(pick(Sealed.WORDS)));
            }
            while (term.size() > 1 && RANDOM.nextInt(4) == 0) {
                term.remove(RANDOM.nextInt(term.size()));
            }
            terms.add(term);
        }
        return new SearchRequest(Sealed.TENANT, terms, expression(0, count), randomFilter(), Optional.empty());
    }

    private static Expression expression(int from, int to) {
        if (to - from == 1) {
            return new Expression.Term(from);
        }
        int middle = from + 1 + RANDOM.nextInt(to - from - 1);
        Expression left = expression(from, middle);
        Expression right = expression(middle, to);
        return switch (RANDOM.nextInt(3)) {
            case 0 -> new Expression.Or(List.of(left, right));
            case 1 -> new Expression.And(List.of(left, right));
            default -> new Expression.And(List.of(new Expression.Not(left), right));
        };
    }

    private static Filter randomFilter() {
        Instant middle = Sealed.START.plusSeconds(RANDOM.nextInt(1000));
        return switch (RANDOM.nextInt(4)) {
            case 0 -> new Filter(Optional.of(middle), Optional.empty(), Set.of());
            case 1 -> new Filter(Optional.of(middle), Optional.of(middle.plusSeconds(200)), Set.of());
            case 2 -> new Filter(Optional.empty(), Optional.of(middle), Set.of(pick(Sealed.SENDERS)));
            default -> Filter.NONE;
        };
    }

    private static String pick(List<String> from) {
        return from.get(RANDOM.nextInt(from.size()));
    }

    @Test
    void findsWhatTestOfEachEnvelopeFinds() throws Exception {
        int hits = 0;
        long most = 0;
        AnswerCache small = new AnswerCache(4000);
        for (int i = 0; i < 120; i++) {
            PreparedSearch search = PreparedSearch.of(randomRequest(), SCHEMES);
            Map<String, RecordSet> expected = plain(search);
            assertThat(search(search, CACHE, monitor())).isEqualTo(expected);
            assertThat(search(search, CACHE, monitor())).as("again").isEqualTo(expected);
            assertThat(search(search, small, monitor())).isEqualTo(expected);
            assertThat(small.bytes()).isLessThanOrEqualTo(4000);
            most = Math.max(most, small.bytes());
            hits += expected.size();
        }
        assertThat(most).as("it remembers something").isPositive(); // the first searches may test no block
        assertThat(hits).as("the searches find something").isGreaterThan(300);
    }

    /** Names of targets are what each stored envelope says by itself, whatever segments it stands in. */
    @Test
    void targetsThatWereNotAskedAreThoseOfStoredEnvelopesThatTheFilterAdmits() throws Exception {
        HeldTargets held = new HeldTargets();
        int named = 0;
        for (int i = 0; i < 60; i++) {
            SearchRequest request = randomRequest();
            String scope = pick(Sealed.SCOPES);
            SearchRequest narrow = SearchRequest.allOf(
                            Sealed.TENANT,
                            List.of(List.of(sealed.trapdoor(Sealed.TENANT, scope, pick(Sealed.EPOCHS), "urgent"))))
                    .with(request.filter());
            for (SearchRequest each : List.of(request, narrow)) {
                PreparedSearch search = PreparedSearch.of(each, SCHEMES);
                List<BlockTarget> found = held.unasked(new IndexSearcher(reader), search, envelopes(search.request()));
                assertThat(found).doesNotHaveDuplicates().hasSameElementsAs(unasked(search));
                assertThat(held.unasked(new IndexSearcher(reader), search, envelopes(search.request())))
                        .as("again")
                        .isEqualTo(found);
                assertThat(found)
                        .allMatch(target -> search.byTarget().keySet().stream()
                                .anyMatch(asked -> asked.scope().equals(target.scope())));
                named += found.size();
            }
        }
        assertThat(named).as("some are named").isGreaterThan(20);
    }

    @Test
    void ofTargetsWithoutEndTheFirstAreToldAndRemembered() throws Exception {
        int most = 1;
        HeldTargets held = new HeldTargets(most);
        SearchRequest request = SearchRequest.allOf(
                Sealed.TENANT,
                List.of(List.of(sealed.trapdoor(Sealed.TENANT, pick(Sealed.SCOPES), "2020-01", "urgent"))));
        PreparedSearch search = PreparedSearch.of(request, SCHEMES);
        assertThat(unasked(search)).as("there are more").hasSizeGreaterThan(most);
        assertThat(held.unasked(new IndexSearcher(reader), search, envelopes(request)))
                .hasSize(most)
                .isSubsetOf(unasked(search));
    }

    private static Set<BlockTarget> unasked(PreparedSearch search) {
        Set<BlockTarget> unasked = new HashSet<>();
        for (Envelope envelope : STORED.values()) {
            if (envelope.tenant().equals(search.request().tenant())
                    && search.request().filter().admits(envelope)) {
                envelope.index().stream().map(BlockTarget::of).forEach(unasked::add);
            }
        }
        unasked.removeIf(target -> search.byTarget().keySet().stream()
                .noneMatch(asked -> asked.scope().equals(target.scope())));
        unasked.removeAll(search.byTarget().keySet());
        return unasked;
    }

    @Test
    void aRepeatedSearchRunsNoTest() throws Exception {
        AnswerCache cache = new AnswerCache(1 << 20);
        PreparedSearch search = PreparedSearch.of(SearchRequest.allOf(Sealed.TENANT, List.of(term("urgent"))), SCHEMES);
        SearchMonitor first = monitor();
        Map<String, RecordSet> found = search(search, cache, first);
        assertThat(found).isNotEmpty();
        assertThat(first.blocksTested()).isGreaterThan(STORED.size() / 2);
        assertThat(first.blocksRemembered()).isZero();
        SearchMonitor second = monitor();
        assertThat(search(search, cache, second)).isEqualTo(found);
        assertThat(second.blocksTested()).isZero();
        assertThat(second.blocksRemembered()).as("counted by whoever plans").isZero();
        List<SealedScorer.Remembered> segments = remembered(search, cache);
        assertThat(segments).hasSameSizeAs(reader.leaves());
        assertThat(segments.stream().mapToLong(SealedScorer.Remembered::blocks).sum())
                .as("deleted ones too")
                .isGreaterThanOrEqualTo(first.blocksTested());
        assertThat(segments.stream().mapToLong(SealedScorer.Remembered::matches).sum())
                .isBetween((long) found.size(), first.blocksTested());
    }

    @Test
    void looksOnlyAtWhatWasFoundWhenEachBlockWasAsked() throws Exception {
        AnswerCache cache = new AnswerCache(1 << 20);
        PreparedSearch urgent = PreparedSearch.of(SearchRequest.allOf(Sealed.TENANT, List.of(term("urgent"))), SCHEMES);
        PreparedSearch both =
                PreparedSearch.of(SearchRequest.allOf(Sealed.TENANT, List.of(term("pump"), term("urgent"))), SCHEMES);
        Filter late = new Filter(Optional.of(Sealed.START.plusSeconds(500)), Optional.empty(), Set.of());
        search(PreparedSearch.of(urgent.request().with(late), SCHEMES), cache, monitor());
        assertThat(remembered(urgent, cache)).as("of some envelopes only").hasSizeLessThan(4);
        assertThat(search(urgent, cache, monitor())).isEqualTo(plain(urgent));
        assertThat(remembered(urgent, cache)).hasSize(4);
        assertThat(remembered(both, cache)).as("one of two suffices").hasSize(4);
        SearchMonitor monitor = monitor();
        assertThat(search(both, cache, monitor)).isEqualTo(plain(both));
        SearchMonitor all = monitor();
        search(both, new AnswerCache(0), all);
        assertThat(monitor.blocksTested()).isPositive().isLessThan(all.blocksTested());
        assertThat(monitor.blocksTested() + monitor.blocksRemembered())
                .as("moved from one to the other")
                .isZero();
        SearchRequest either = new SearchRequest(
                Sealed.TENANT,
                List.of(term("valve"), term("urgent")),
                new Expression.Or(List.of(new Expression.Term(0), new Expression.Term(1))),
                Filter.NONE,
                Optional.empty());
        assertThat(remembered(PreparedSearch.of(either, SCHEMES), cache))
                .as("one of two does not")
                .isEmpty();
        SearchRequest without = new SearchRequest(
                Sealed.TENANT,
                List.of(term("urgent"), term("valve")),
                new Expression.And(List.of(new Expression.Not(new Expression.Term(0)), new Expression.Term(1))),
                Filter.NONE,
                Optional.empty());
        assertThat(remembered(PreparedSearch.of(without, SCHEMES), cache))
                .as("nor does NOT")
                .isEmpty();
    }

    /** A segment that is known stays known when more of it is deleted, and what comes is asked. */
    @Test
    void findsTheSameByWhatIsRememberedWhenEnvelopesAreDeletedAndOthersCome() throws Exception {
        AnswerCache cache = new AnswerCache(1 << 20);
        PreparedSearch search = PreparedSearch.of(SearchRequest.allOf(Sealed.TENANT, List.of(term("valve"))), SCHEMES);
        try (ByteBuffersDirectory own = new ByteBuffersDirectory();
                IndexWriter writer =
                        new IndexWriter(own, new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE))) {
            Map<String, Envelope> stored = new HashMap<>();
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < 15; i++) {
                    Envelope envelope = sealed.envelope(Sealed.TENANT);
                    String id = envelope.id().toString();
                    writer.addDocuments(documents(envelope, id));
                    stored.put(id, envelope);
                }
                for (String id : List.copyOf(stored.keySet())) {
                    if (RANDOM.nextInt(5) == 0) {
                        writer.deleteDocuments(new Term("id", id));
                        stored.remove(id);
                    }
                }
                writer.commit();
                try (DirectoryReader opened = DirectoryReader.open(own)) {
                    for (int i = 0; i < 2; i++) {
                        Map<String, RecordSet> found = new HashMap<>();
                        for (Map.Entry<String, Envelope> each : stored.entrySet()) {
                            RecordSet records =
                                    search.match(each.getValue(), IndexAdmission.trust(each.getValue(), SCHEMES));
                            if (!records.isEmpty()) {
                                found.put(each.getKey(), records);
                            }
                        }
                        assertThat(search(opened, search, cache, monitor())).isEqualTo(found);
                    }
                }
            }
        }
    }

    @Test
    void aSecondTermIsTestedOnlyWhereTheFirstIsFound() throws Exception {
        AnswerCache cache = new AnswerCache(1 << 20);
        SearchRequest both = SearchRequest.allOf(Sealed.TENANT, List.of(term("never-sealed"), term("urgent")));
        assertThat(search(PreparedSearch.of(both, SCHEMES), cache, monitor())).isEmpty();
        SearchMonitor monitor = monitor();
        search(PreparedSearch.of(SearchRequest.allOf(Sealed.TENANT, List.of(term("urgent"))), SCHEMES), cache, monitor);
        assertThat(monitor.blocksRemembered()).isZero();
    }

    @Test
    void aFilterRulesEnvelopesOutBeforeTest() throws Exception {
        Instant late = Sealed.START.plusSeconds(100_000);
        SearchRequest request = SearchRequest.allOf(Sealed.TENANT, List.of(term("urgent")))
                .with(new Filter(Optional.of(late), Optional.empty(), Set.of()));
        SearchMonitor monitor = monitor();
        assertThat(search(PreparedSearch.of(request, SCHEMES), CACHE, monitor)).isEmpty();
        assertThat(monitor.blocksTested() + monitor.blocksRemembered()).isZero();
    }

    @Test
    void blocksOfAnotherTenantAreNeverTestedThoughKeyScopeAndEpochAreTheSame() throws Exception {
        SearchRequest request = SearchRequest.allOf(
                "a third one", List.of(List.of(sealed.trapdoor(Sealed.OTHER_TENANT, "plant-7", "2026-11", "urgent"))));
        SearchMonitor monitor = monitor();
        assertThat(search(PreparedSearch.of(request, SCHEMES), CACHE, monitor)).isEmpty();
        assertThat(monitor.blocksTested() + monitor.blocksRemembered()).isZero();
    }

    /** A trapdoor does not say whose it is: what it found, or not, in one tenant's blocks says nothing of another's. */
    @Test
    void whatOneTenantAskedIsNotRememberedForAnother() throws Exception {
        AnswerCache cache = new AnswerCache(1 << 20);
        SearchRequest acme = SearchRequest.allOf(Sealed.TENANT, List.of(term("urgent")));
        PreparedSearch own = PreparedSearch.of(acme, SCHEMES);
        PreparedSearch others = PreparedSearch.of(SearchRequest.allOf(Sealed.OTHER_TENANT, acme.terms()), SCHEMES);
        for (int i = 0; i < 2; i++) {
            assertThat(search(others, cache, monitor())).isEqualTo(plain(others));
            assertThat(search(own, cache, monitor())).isEqualTo(plain(own)).isNotEmpty();
        }
    }

    @Test
    void endsSoonAfterItWasCancelledAndGoesOnFromThere() throws Exception {
        AnswerCache cache = new AnswerCache(1 << 20);
        PreparedSearch search = PreparedSearch.of(SearchRequest.allOf(Sealed.TENANT, List.of(term("valve"))), SCHEMES);
        AtomicInteger asked = new AtomicInteger();
        BooleanSupplier afterTen = () -> asked.incrementAndGet() > 10;
        SearchMonitor monitor = new SearchMonitor(afterTen);
        assertThatThrownBy(() -> search(search, cache, monitor)).isInstanceOf(CancellationException.class);
        assertThat(monitor.blocksTested()).isBetween(1L, 10L);
        SearchMonitor again = monitor();
        assertThat(search(search, cache, again)).isEqualTo(plain(search));
        assertThat(again.blocksRemembered()).isEqualTo(monitor.blocksTested());
    }

    @Test
    void forgetsASegmentWhenItIsClosed() throws Exception {
        AnswerCache cache = new AnswerCache(1 << 20);
        PreparedSearch search = PreparedSearch.of(SearchRequest.allOf(Sealed.TENANT, List.of(term("pump"))), SCHEMES);
        try (DirectoryReader shortLived = DirectoryReader.open(directory)) {
            Query query = new SealedQuery(search, envelopes(search.request()), cache, monitor());
            assertThat(new IndexSearcher(shortLived).count(query))
                    .isEqualTo(plain(search).size());
            assertThat(cache.bytes()).isPositive();
        }
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void neverShowsTrapdoorsAndEqualsByValue() throws Exception {
        SearchRequest request = SearchRequest.allOf(Sealed.TENANT, List.of(term("pump")));
        Query query = new SealedQuery(PreparedSearch.of(request, SCHEMES), envelopes(request), CACHE, monitor());
        SearchRequest same = SearchRequest.decode(request.encode());
        Query again = new SealedQuery(PreparedSearch.of(same, SCHEMES), envelopes(same), CACHE, monitor());
        assertThat(again).isEqualTo(query).hasSameHashCodeAs(query);
        SearchRequest other = SearchRequest.allOf(Sealed.TENANT, List.of(term("valve")));
        assertThat(query)
                .isNotEqualTo(new SealedQuery(PreparedSearch.of(other, SCHEMES), envelopes(other), CACHE, monitor()));
        assertThat(new HashSet<>(List.of(query.toString().split("\\W+")))).doesNotContain("pump");
        assertThat(query.toString()).hasSizeLessThan(200);
    }
}
