package dev.veilgate.gateway.store;

import dev.veilgate.index.BlockFields;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;

/**
 * The envelopes of one segment that a filter admits, in ranges of documents.
 *
 * @param ranges    none if there are no envelopes
 * @param envelopes in all of them
 * @param blocks    documents of blocks that these have
 */
record SegmentPlan(List<Range> ranges, int envelopes, long blocks) {
    private static final int RANGE_ENVELOPES = 256;

    /**
     * Documents, so that each envelope is in one range.
     *
     * @param from      the first
     * @param to        the one behind the last
     * @param envelopes that the filter admits
     */
    record Range(int from, int to, int envelopes) {}

    /** Copies. */
    SegmentPlan {
        ranges = List.copyOf(ranges);
    }

    /** Goes through all envelopes that the filter admits. */
    static SegmentPlan of(LeafReaderContext segment, Weight filter) throws IOException {
        List<Range> ranges = new ArrayList<>();
        int envelopes = 0;
        long blocks = 0;
        Scorer passing = filter.scorer(segment);
        if (passing != null) {
            LeafReader reader = segment.reader();
            Bits live = reader.getLiveDocs();
            NumericDocValues blocksOf = DocValues.getNumeric(reader, BlockFields.BLOCKS);
            DocIdSetIterator each = passing.iterator();
            int from = 0;
            int count = 0;
            for (int at = each.nextDoc(); at != DocIdSetIterator.NO_MORE_DOCS; at = each.nextDoc()) {
                if (live != null && !live.get(at)) {
                    continue;
                }
                blocks += blocksOf.advanceExact(at) ? blocksOf.longValue() : 0;
                envelopes++;
                if (++count == RANGE_ENVELOPES) {
                    ranges.add(new Range(from, at + 1, count));
                    from = at + 1;
                    count = 0;
                }
            }
            if (count > 0) {
                ranges.add(new Range(from, reader.maxDoc(), count));
            }
        }
        return new SegmentPlan(ranges, envelopes, blocks);
    }
}
