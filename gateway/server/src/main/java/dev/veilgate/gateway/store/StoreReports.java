package dev.veilgate.gateway.store;

import dev.veilgate.gateway.store.EnvelopeStore.Expired;
import dev.veilgate.gateway.store.EnvelopeStore.Holdings;
import dev.veilgate.gateway.store.EnvelopeStore.Page;
import dev.veilgate.index.BlockFields;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.lucene.document.LongField;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
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
import org.apache.lucene.util.StringHelper;
import org.jspecify.annotations.Nullable;

/** What the store says of what it holds, without a Test. */
final class StoreReports {
    private record Old(Expired envelope, long arrived) {
        UUID id() {
            return envelope.name().id();
        }
    }

    private StoreReports() {}

    static List<Expired> expired(
            IndexSearcher searcher,
            String tenant,
            Instant before,
            Predicate<String> scope,
            Predicate<EnvelopeName> kept,
            int limit)
            throws IOException {
        Query query = searcher.rewrite(new BooleanQuery.Builder()
                .add(new TermQuery(new Term(EnvelopeDocuments.TENANT, tenant)), Occur.FILTER)
                .add(
                        LongField.newRangeQuery(EnvelopeDocuments.ARRIVED, Long.MIN_VALUE, before.toEpochMilli() - 1),
                        Occur.FILTER)
                .build());
        Weight weight = searcher.createWeight(query, ScoreMode.COMPLETE_NO_SCORES, 1);
        PriorityQueue<Old> oldest = new PriorityQueue<>(
                Comparator.comparingLong(Old::arrived).thenComparing(Old::id).reversed());
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            Scorer found = weight.scorer(leaf);
            if (found != null) {
                collect(leaf.reader(), found.iterator(), scope, kept, limit, oldest);
            }
        }
        List<Old> sorted = new ArrayList<>(oldest);
        sorted.sort(Comparator.comparingLong(Old::arrived).thenComparing(Old::id));
        return sorted.stream().map(Old::envelope).toList();
    }

    private static void collect(
            LeafReader segment,
            DocIdSetIterator found,
            Predicate<String> scope,
            Predicate<EnvelopeName> kept,
            int limit,
            PriorityQueue<Old> oldest)
            throws IOException {
        Bits live = segment.getLiveDocs();
        SortedNumericDocValues arrivals = DocValues.getSortedNumeric(segment, EnvelopeDocuments.ARRIVED);
        SortedSetDocValues scopes = DocValues.getSortedSet(segment, EnvelopeDocuments.SCOPE);
        ExpiredReader reader = new ExpiredReader(segment);
        Map<String, Boolean> known = new HashMap<>();
        Predicate<String> remembered = name -> known.computeIfAbsent(name, scope::test);
        for (int at = found.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = found.nextDoc()) {
            if ((live == null || live.get(at)) && allScopes(scopes, at, remembered)) {
                arrivals.advanceExact(at);
                Expired envelope = reader.read(at);
                if (!kept.test(envelope.name())) {
                    oldest.add(new Old(envelope, arrivals.nextValue()));
                }
                if (oldest.size() > limit) {
                    oldest.poll();
                }
            }
        }
    }

    private static final class ExpiredReader {
        private final BinaryDocValues ids;
        private final SortedDocValues senders;
        private final NumericDocValues sequences;
        private final BinaryDocValues digests;

        ExpiredReader(LeafReader segment) throws IOException {
            this.ids = DocValues.getBinary(segment, EnvelopeDocuments.ID);
            this.senders = DocValues.getSorted(segment, EnvelopeDocuments.SENDER);
            this.sequences = DocValues.getNumeric(segment, EnvelopeDocuments.SEQUENCE);
            this.digests = DocValues.getBinary(segment, EnvelopeDocuments.DIGEST);
        }

        Expired read(int document) throws IOException {
            if (!ids.advanceExact(document)
                    || !senders.advanceExact(document)
                    || !sequences.advanceExact(document)
                    || !digests.advanceExact(document)) {
                throw new IOException("document " + document + " is no envelope");
            }
            return new Expired(
                    EnvelopeName.of(
                            EnvelopeKey.id(ids.binaryValue()), BytesRef.deepCopyOf(digests.binaryValue()).bytes),
                    senders.lookupOrd(senders.ordValue()).utf8ToString(),
                    sequences.longValue());
        }
    }

    private static boolean allScopes(SortedSetDocValues scopes, int document, Predicate<String> holds)
            throws IOException {
        if (!scopes.advanceExact(document)) {
            return holds.test("");
        }
        for (int i = 0; i < scopes.docValueCount(); i++) {
            if (!holds.test(scopes.lookupOrd(scopes.nextOrd()).utf8ToString())) {
                return false;
            }
        }
        return true;
    }

    static Page names(IndexSearcher searcher, String tenant, byte @Nullable [] after, int limit) throws IOException {
        BytesRef prefix = EnvelopeKey.tenant(tenant);
        List<EnvelopeName> names = new ArrayList<>();
        BytesRef end = after == null ? prefix : new BytesRef(after);
        for (BytesRef key : keys(searcher, prefix, end, limit)) {
            Optional<EnvelopeName> name = EnvelopeKey.name(key);
            names.add(
                    name.isPresent()
                            ? name.get()
                            : StoredDocuments.find(searcher, key).orElseThrow().name());
            end = key;
        }
        return new Page(names, BytesRef.deepCopyOf(end).bytes);
    }

    /**
     * Keys of envelopes that are not deleted, the first so many of them in their order.
     *
     * @param prefix what they begin with
     * @param from   only those behind it
     */
    static List<BytesRef> keys(IndexSearcher searcher, BytesRef prefix, BytesRef from, int limit) throws IOException {
        SortedSet<BytesRef> keys = new TreeSet<>();
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            Terms terms = leaf.reader().terms(EnvelopeDocuments.KEY);
            TermsEnum each = terms == null ? null : terms.iterator();
            if (each == null || each.seekCeil(from) == TermsEnum.SeekStatus.END) {
                continue;
            }
            int taken = 0;
            for (BytesRef key = each.term();
                    key != null && StringHelper.startsWith(key, prefix) && taken < limit;
                    key = each.next()) {
                if (!key.equals(from) && isLive(leaf.reader(), each.postings(null, PostingsEnum.NONE))) {
                    keys.add(BytesRef.deepCopyOf(key));
                    taken++;
                }
            }
        }
        return keys.stream().limit(limit).toList();
    }

    private static boolean isLive(LeafReader segment, PostingsEnum documents) throws IOException {
        Bits live = segment.getLiveDocs();
        for (int at = documents.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = documents.nextDoc()) {
            if (live == null || live.get(at)) {
                return true;
            }
        }
        return false;
    }

    static Map<String, Holdings> holdings(IndexSearcher searcher) throws IOException {
        Map<String, Holdings> holdings = new TreeMap<>();
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            Terms tenants = leaf.reader().terms(EnvelopeDocuments.TENANT);
            if (tenants == null) {
                continue;
            }
            TermsEnum each = tenants.iterator();
            for (BytesRef tenant = each.next(); tenant != null; tenant = each.next()) {
                Holdings more = holdings(leaf.reader(), each.postings(null, PostingsEnum.NONE));
                if (more.envelopes() > 0) {
                    holdings.merge(tenant.utf8ToString(), more, StoreReports::sum);
                }
            }
        }
        return holdings;
    }

    private static Holdings holdings(LeafReader segment, DocIdSetIterator envelopes) throws IOException {
        Bits live = segment.getLiveDocs();
        NumericDocValues recordCounts = DocValues.getNumeric(segment, BlockFields.RECORDS);
        NumericDocValues blockCounts = DocValues.getNumeric(segment, BlockFields.BLOCKS);
        long count = 0;
        long records = 0;
        long blocks = 0;
        for (int at = envelopes.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = envelopes.nextDoc()) {
            if ((live == null || live.get(at)) && recordCounts.advanceExact(at) && blockCounts.advanceExact(at)) {
                count++;
                records += recordCounts.longValue();
                blocks += blockCounts.longValue();
            }
        }
        return new Holdings(count, records, blocks);
    }

    private static Holdings sum(Holdings a, Holdings b) {
        return new Holdings(a.envelopes() + b.envelopes(), a.records() + b.records(), a.blocks() + b.blocks());
    }
}
