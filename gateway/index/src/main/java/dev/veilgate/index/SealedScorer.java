package dev.veilgate.index;

import dev.veilgate.peks.RecordSet;
import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;

/** Goes through the envelopes that a {@link SealedQuery} finds in a segment, and says in which of their records. */
public final class SealedScorer extends Scorer {
    /** What a Test costs, in the simple operations that Lucene plans with. */
    private static final float TEST_COST = 10_000;

    private final TwoPhaseIterator phases;
    private final DocIdSetIterator found;
    private final float score;
    private RecordSet records = RecordSet.of();

    SealedScorer(Candidates candidates, EnvelopeTest test, float score) {
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
