package dev.veilgate.index;

import dev.veilgate.query.PreparedSearch;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.ConjunctionUtils;
import org.apache.lucene.search.ConstantScoreWeight;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.jspecify.annotations.Nullable;

/**
 * Finds envelopes by a search over their sealed index blocks ({@link BlockFields}). In two phases: postings say which envelopes of the right tenant, time and
 * sender have a block that a trapdoor applies to; only on those runs Test, on the stored bytes, and the expression is evaluated record by record. Each hit's records
 * are with the {@link SealedScorer}. Where earlier searches have asked all, only what they found is looked at ({@link RememberedEnvelopes}).
 *
 * <p>Made for one search: it counts into that search's monitor. Equal if search and envelopes are.
 */
public final class SealedQuery extends Query {
    private final PreparedSearch search;
    private final Query envelopes;
    private final AnswerCache cache;
    private final SearchMonitor monitor;

    /** @param envelopes matches documents of envelopes, of those that the search's filter admits; the tenant's own are found in any case */
    public SealedQuery(PreparedSearch search, Query envelopes, AnswerCache cache, SearchMonitor monitor) {
        this.search = search;
        this.envelopes = envelopes;
        this.cache = cache;
        this.monitor = monitor;
    }

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost) throws IOException {
        Weight filter = searcher.rewrite(envelopes).createWeight(searcher, ScoreMode.COMPLETE_NO_SCORES, 1);
        return new SealedWeight(filter, boost);
    }

    private final class SealedWeight extends ConstantScoreWeight {
        private final Weight filter;
        private final Map<Object, Segment> segments = new ConcurrentHashMap<>();

        SealedWeight(Weight filter, float boost) {
            super(SealedQuery.this, boost);
            this.filter = filter;
        }

        /** Decided once for a search: others may learn the rest meanwhile. */
        private Segment segment(LeafReaderContext context) throws IOException {
            Segment known = segments.get(context.id());
            if (known == null) {
                Segment looked = Segment.of(context.reader(), search, cache);
                known = segments.putIfAbsent(context.id(), looked);
                known = known == null ? looked : known;
            }
            return known;
        }

        @Override
        public @Nullable ScorerSupplier scorerSupplier(LeafReaderContext context) throws IOException {
            Segment segment = segment(context);
            ScorerSupplier passing = segment.targets.isEmpty() ? null : filter.scorerSupplier(context);
            if (passing == null) {
                return null;
            }
            return new Supplier(context, passing, segment, score());
        }

        @Override
        public boolean isCacheable(LeafReaderContext context) {
            return false; // by its own cache only
        }
    }

    /**
     * A segment as the search sees it.
     *
     * @param remembered answers of {@link RememberedEnvelopes}, if they suffice
     * @param all        whether no Test can be needed
     */
    private record Segment(List<TargetBlocks> targets, Optional<List<Answers>> remembered, boolean all) {
        static Segment of(LeafReader reader, PreparedSearch search, AnswerCache cache) throws IOException {
            List<TargetBlocks> targets = TargetBlocks.in(reader, search, cache);
            Optional<List<Answers>> answers =
                    RememberedEnvelopes.answers(reader, search.request().expression(), targets);
            return new Segment(
                    targets, answers, answers.isPresent() && RememberedEnvelopes.all(reader, search, targets));
        }
    }

    private final class Supplier extends ScorerSupplier {
        private final LeafReaderContext context;
        private final ScorerSupplier filter;
        private final Segment segment;
        private final float score;

        Supplier(LeafReaderContext context, ScorerSupplier filter, Segment segment, float score) {
            this.context = context;
            this.filter = filter;
            this.segment = segment;
            this.score = score;
        }

        @Override
        public Scorer get(long leadCost) throws IOException {
            LeafReader reader = context.reader();
            DocIdSetIterator envelopes = filter.get(leadCost).iterator();
            if (segment.remembered.isPresent()) {
                RememberedEnvelopes found = new RememberedEnvelopes(reader, segment.remembered.get());
                envelopes = ConjunctionUtils.intersectIterators(List.of(found, envelopes));
            }
            Candidates candidates = new Candidates(reader, envelopes, segment.targets);
            EnvelopeTest test = new EnvelopeTest(reader, search, monitor, segment.remembered.isPresent());
            return new SealedScorer(candidates, test, remembered(), score);
        }

        private SealedScorer.@Nullable Remembered remembered() {
            return segment.remembered
                    .map(answers -> new SealedScorer.Remembered(
                            segment.targets.stream()
                                    .mapToLong(TargetBlocks::blocks)
                                    .sum(),
                            answers.stream().mapToLong(Answers::matches).sum(),
                            segment.all))
                    .orElse(null);
        }

        @Override
        public long cost() {
            return filter.cost();
        }
    }

    @Override
    public void visit(QueryVisitor visitor) {
        visitor.visitLeaf(this);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SealedQuery that
                && search.request().equals(that.search.request())
                && envelopes.equals(that.envelopes);
    }

    @Override
    public int hashCode() {
        return 31 * search.request().hashCode() + envelopes.hashCode();
    }

    /** Without trapdoors. */
    @Override
    public String toString(String field) {
        return "SealedQuery[" + search.request() + " in " + envelopes + "]";
    }
}
