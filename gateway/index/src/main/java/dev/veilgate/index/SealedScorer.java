package dev.veilgate.index;

import dev.veilgate.peks.RecordSet;
import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.jspecify.annotations.Nullable;

/** Goes through the envelopes that a {@link SealedQuery} finds in a segment, and says in which of their records. */
public final class SealedScorer extends Scorer {
    /** What a Test costs, in the simple operations that Lucene plans with. */
    private static final float TEST_COST = 10_000;

    private final TwoPhaseIterator phases;
    private final DocIdSetIterator found;
    private final @Nullable Remembered remembered;
    private final float score;
    private RecordSet records = RecordSet.of();

    /**
     * A segment of which earlier searches have asked so much that the scorer goes through what they found alone.
     * Whoever plans the search counts the blocks, by {@link SearchMonitor#countRemembered}.
     *
     * @param blocks  that a trapdoor of the search applies to
     * @param matches blocks that are looked at, at most
     * @param all     whether no Test can be needed any more
     */
    public record Remembered(long blocks, long matches, boolean all) {}

    SealedScorer(Candidates candidates, EnvelopeTest test, @Nullable Remembered remembered, float score) {
        this.remembered = remembered;
        this.score = score;
        this.phases = new TwoPhaseIterator(candidates) {
            @Override
            public boolean matches() throws IOException {
                records = test.records(candidates);
                return !records.isEmpty();
            }

            @Override
            public float matchCost() {
                return TEST_COST;
            }
        };
        this.found = TwoPhaseIterator.asDocIdSetIterator(phases);
    }

    /** Work that earlier searches left in this segment; null if some of its blocks may have to be tested. */
    public @Nullable Remembered remembered() {
        return remembered;
    }

    /** The records of the envelope at hand that satisfy the search; not empty where it matches. */
    public RecordSet records() {
        return records;
    }

    @Override
    public TwoPhaseIterator twoPhaseIterator() {
        return phases;
    }

    @Override
    public DocIdSetIterator iterator() {
        return found;
    }

    @Override
    public int docID() {
        return found.docID();
    }

    @Override
    public float score() {
        return score;
    }

    @Override
    public float getMaxScore(int upTo) {
        return score;
    }
}
