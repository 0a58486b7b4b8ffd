package dev.veilgate.index;

import dev.veilgate.encoding.ByteWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.query.BlockTarget;
import dev.veilgate.query.PreparedSearch;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.BitSet;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.RamUsageEstimator;
import org.apache.lucene.util.StringHelper;

/**
 * Targets of which an index has blocks, by segment, filter and scopes: those of the last few are remembered, since a
 * segment's documents never change. Tells what a search has no trapdoor for, though an envelope that its filter admits
 * has a block of it: other epochs and other index keys of its scopes. What is there is not found by the search,
 * whatever it asks for. Other scopes are not named, since who may search one need not know of another.
 *
 * <p>Senders choose the names of epochs, and of schemes that are not known here, so that there may be any number of
 * targets: of a segment, and of an answer, the first {@value #MOST_TARGETS} are told. Safe for use by several threads.
 */
public final class HeldTargets {
    /** Most targets of an answer. */
    public static final int MOST_TARGETS = 1024;

    /** Most answers that are kept: of {@value #MOST_TARGETS} targets each, as senders can have it, some 25 MB. */
    private static final int MOST_REMEMBERED = 64;

    /** Most bytes of a filter whose targets are remembered: longer ones name many senders, and are rare. */
    private static final long MAX_FILTER_BYTES = 4 << 10;

    private static final Comparator<BlockTarget> ORDER = Comparator.comparing(BlockTarget::scope)
            .thenComparing(BlockTarget::epoch)
            .thenComparing(BlockTarget::scheme)
            .thenComparing(BlockTarget::parameters)
            .thenComparing(target -> target.keyId().toString());

    private record Key(IndexReader.CacheKey segment, Query admitted, String tenant, Set<String> scopes) {}

    private final Map<Key, Set<BlockTarget>> remembered = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Set<BlockTarget>> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    private final int most;

    /** Nothing is remembered yet. */
    public HeldTargets() {
        this(MOST_TARGETS);
    }

    /** @param most targets of a segment, and of an answer */
    HeldTargets(int most) {
        this.most = most;
    }

    /**
     * All that a search has no trapdoor for, in an order that only they decide; of more than {@value #MOST_TARGETS}
     * some.
     *
     * @param admitted matches documents of envelopes, of those that the search's filter admits
     */
    public List<BlockTarget> unasked(IndexSearcher searcher, PreparedSearch search, Query admitted) throws IOException {
        Query filter = searcher.rewrite(admitted);
        Weight weight = searcher.createWeight(filter, ScoreMode.COMPLETE_NO_SCORES, 1);
        Set<String> scopes =
                search.byTarget().keySet().stream().map(BlockTarget::scope).collect(Collectors.toUnmodifiableSet());
        boolean isRemembered = RamUsageEstimator.sizeOf(filter) <= MAX_FILTER_BYTES;
        Set<BlockTarget> held = new TreeSet<>(ORDER);
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            IndexReader.CacheHelper segment = leaf.reader().getReaderCacheHelper();
            held.addAll(
                    segment == null || !isRemembered
                            ? in(leaf, search.request().tenant(), scopes, weight)
                            : in(
                                    leaf,
                                    new Key(
                                            segment.getKey(),
                                            filter,
                                            search.request().tenant(),
                                            scopes),
                                    weight));
        }
        held.removeAll(search.byTarget().keySet());
        return held.stream().limit(most).toList();
    }

    private Set<BlockTarget> in(LeafReaderContext leaf, Key key, Weight admitted) throws IOException {
        Set<BlockTarget> known;
        synchronized (remembered) {
            known = remembered.get(key);
        }
        if (known == null) {
            known = in(leaf, key.tenant, key.scopes, admitted);
            synchronized (remembered) {
                remembered.put(key, known);
            }
        }
        return known;
    }

    private Set<BlockTarget> in(LeafReaderContext leaf, String tenant, Set<String> scopes, Weight admitted)
            throws IOException {
        Terms terms = leaf.reader().terms(BlockFields.TARGET);
        Scorer passing = terms == null ? null : admitted.scorer(leaf);
        if (passing == null) {
            return Set.of();
        }
        BitSet envelopes = envelopes(leaf, passing);
        BytesRef prefix = new BytesRef(new ByteWriter(256).shortString(tenant).toByteArray());
        Set<BlockTarget> held = new HashSet<>();
        TermsEnum at = terms.iterator();
        BytesRef term = at.seekCeil(prefix) == TermsEnum.SeekStatus.END ? null : at.term();
        while (term != null && held.size() < most && StringHelper.startsWith(term, prefix)) {
            BlockTarget target = target(term, prefix.length);
            if (scopes.contains(target.scope()) && isAny(at.postings(null, PostingsEnum.NONE), leaf, envelopes)) {
                held.add(target);
            }
            term = at.next();
        }
        return Set.copyOf(held);
    }

    private static BlockTarget target(BytesRef term, int from) throws IOException {
        byte[] header = Arrays.copyOfRange(term.bytes, term.offset + from, term.offset + term.length);
        try {
            return BlockTarget.of(IndexBlock.decode(header));
        } catch (MalformedEncodingException e) {
            throw new IOException("a target of the index is not one", e);
        }
    }

    /** Documents of envelopes that the filter admits and that are not deleted. */
    private static BitSet envelopes(LeafReaderContext leaf, Scorer passing) throws IOException {
        FixedBitSet envelopes = new FixedBitSet(leaf.reader().maxDoc() + 1);
        Bits live = leaf.reader().getLiveDocs();
        DocIdSetIterator each = passing.iterator();
        for (int at = each.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = each.nextDoc()) {
            if (live == null || live.get(at)) {
                envelopes.set(at);
            }
        }
        return envelopes;
    }

    /** Whether one of the blocks is of one of the envelopes; whichever are fewer lead. */
    private static boolean isAny(PostingsEnum blocks, LeafReaderContext leaf, BitSet envelopes) throws IOException {
        NumericDocValues blocksOf = DocValues.getNumeric(leaf.reader(), BlockFields.BLOCKS);
        int envelope = envelopes.nextSetBit(0);
        int block = -1;
        while (envelope != DocIdSetIterator.NO_MORE_DOCS) {
            int first = blocksOf.advanceExact(envelope) ? envelope - Math.toIntExact(blocksOf.longValue()) : envelope;
            block = block < first ? blocks.advance(first) : block;
            if (block < envelope) {
                return true;
            }
            if (block == DocIdSetIterator.NO_MORE_DOCS) {
                return false;
            }
            envelope = envelopes.nextSetBit(block);
        }
        return false;
    }
}
