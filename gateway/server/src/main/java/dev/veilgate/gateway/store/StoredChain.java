package dev.veilgate.gateway.store;

import dev.veilgate.gateway.store.EnvelopeStore.Placed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;

/** What is stored of one sender's chain. Looks at the number of each of its envelopes: some ten million a second. */
record StoredChain(Query envelopes) {
    static StoredChain of(String tenant, String sender) {
        return new StoredChain(new BooleanQuery.Builder()
                .add(new TermQuery(new Term(EnvelopeDocuments.TENANT, tenant)), Occur.FILTER)
                .add(new TermQuery(new Term(EnvelopeDocuments.SENDER, sender)), Occur.FILTER)
                .build());
    }

    /** As {@link EnvelopeStore#beside} says. */
    List<Placed> beside(IndexSearcher searcher, long sequence, boolean later, Predicate<String> scope, int limit)
            throws IOException {
        if (sequence == (later ? Long.MAX_VALUE : Long.MIN_VALUE)) {
            return List.of();
        }
        Query side = later
                ? NumericDocValuesField.newSlowRangeQuery(EnvelopeDocuments.SEQUENCE, sequence + 1, Long.MAX_VALUE)
                : NumericDocValuesField.newSlowRangeQuery(EnvelopeDocuments.SEQUENCE, Long.MIN_VALUE, sequence - 1);
        Query query = searcher.rewrite(new BooleanQuery.Builder()
                .add(envelopes, Occur.FILTER)
                .add(side, Occur.FILTER)
                .build());
        Weight weight = searcher.createWeight(query, ScoreMode.COMPLETE_NO_SCORES, 1);
        Comparator<Placed> near = Comparator.comparingLong(Placed::sequence);
        near = (later ? near : near.reversed()).thenComparing(Placed::id).thenComparing(Placed::digest);
        PriorityQueue<Placed> nearest = new PriorityQueue<>(near.reversed());
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            Scorer found = weight.scorer(leaf);
            if (found != null) {
                collect(leaf.reader(), found.iterator(), later, scope, limit, nearest);
            }
        }
        List<Placed> sorted = new ArrayList<>(nearest);
        sorted.sort(near);
        return sorted;
    }

    /** As {@link EnvelopeStore#drawn} says: the n-th that is seen replaces another with probability most/n. */
    List<Placed> drawn(IndexSearcher searcher, Predicate<String> scope, int most, RandomGenerator random)
            throws IOException {
        Weight weight = searcher.createWeight(searcher.rewrite(envelopes), ScoreMode.COMPLETE_NO_SCORES, 1);
        List<Placed> drawn = new ArrayList<>();
        long seen = 0;
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            Scorer found = weight.scorer(leaf);
            if (found == null) {
                continue;
            }
            LeafReader segment = leaf.reader();
            Bits live = segment.getLiveDocs();
            SortedSetDocValues scopes = DocValues.getSortedSet(segment, EnvelopeDocuments.SCOPE);
            PlacedReader reader = new PlacedReader(segment);
            DocIdSetIterator each = found.iterator();
            for (int at = each.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = each.nextDoc()) {
                if (live != null && !live.get(at) || !anyScope(scopes, at, scope)) {
                    continue;
                }
                seen++;
                if (drawn.size() < most) {
                    drawn.add(reader.read(at));
                    continue;
                }
                long place = random.nextLong(seen);
                if (place < most) {
                    drawn.set((int) place, reader.read(at));
                }
            }
        }
        return drawn;
    }

    private static final class PlacedReader {
        private final NumericDocValues sequences;
        private final BinaryDocValues ids;
        private final BinaryDocValues digests;

        PlacedReader(LeafReader segment) throws IOException {
            this.sequences = DocValues.getNumeric(segment, EnvelopeDocuments.SEQUENCE);
            this.ids = DocValues.getBinary(segment, EnvelopeDocuments.ID);
            this.digests = DocValues.getBinary(segment, EnvelopeDocuments.DIGEST);
        }

        Placed read(int document) throws IOException {
            if (!sequences.advanceExact(document) || !ids.advanceExact(document) || !digests.advanceExact(document)) {
                throw new IOException("document " + document + " is no envelope");
            }
            EnvelopeName name = EnvelopeName.of(
                    EnvelopeKey.id(ids.binaryValue()), BytesRef.deepCopyOf(digests.binaryValue()).bytes);
            return new Placed(name.id(), name.digest(), sequences.longValue());
        }
    }

    private static void collect(
            LeafReader segment,
            DocIdSetIterator found,
            boolean later,
            Predicate<String> scope,
            int limit,
            PriorityQueue<Placed> nearest)
            throws IOException {
        Bits live = segment.getLiveDocs();
        NumericDocValues sequences = DocValues.getNumeric(segment, EnvelopeDocuments.SEQUENCE);
        BinaryDocValues ids = DocValues.getBinary(segment, EnvelopeDocuments.ID);
        BinaryDocValues digests = DocValues.getBinary(segment, EnvelopeDocuments.DIGEST);
        SortedSetDocValues scopes = DocValues.getSortedSet(segment, EnvelopeDocuments.SCOPE);
        for (int at = found.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = found.nextDoc()) {
            if ((live == null || live.get(at))
                    && sequences.advanceExact(at)
                    && !isFarther(sequences.longValue(), nearest, later, limit)
                    && ids.advanceExact(at)
                    && digests.advanceExact(at)
                    && anyScope(scopes, at, scope)) {
                EnvelopeName name = EnvelopeName.of(
                        EnvelopeKey.id(ids.binaryValue()), BytesRef.deepCopyOf(digests.binaryValue()).bytes);
                nearest.add(new Placed(name.id(), name.digest(), sequences.longValue()));
                if (nearest.size() > limit) {
                    nearest.poll();
                }
            }
        }
    }

    /** Than the farthest of enough: then it is not looked at any more. */
    private static boolean isFarther(long sequence, PriorityQueue<Placed> nearest, boolean later, int limit) {
        Placed farthest = nearest.peek();
        return farthest != null
                && nearest.size() >= limit
                && (later ? sequence > farthest.sequence() : sequence < farthest.sequence());
    }

    private static boolean anyScope(SortedSetDocValues scopes, int document, Predicate<String> scope)
            throws IOException {
        if (!scopes.advanceExact(document)) {
            return scope.test("");
        }
        for (int i = 0; i < scopes.docValueCount(); i++) {
            if (scope.test(scopes.lookupOrd(scopes.nextOrd()).utf8ToString())) {
                return true;
            }
        }
        return false;
    }
}
