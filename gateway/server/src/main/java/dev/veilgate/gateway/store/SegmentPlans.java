package dev.veilgate.gateway.store;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Weight;

/**
 * Plans of the segments and filters that were searched last. A segment's documents never change; what is deleted of
 * them makes another reader. Safe for use by several threads.
 */
final class SegmentPlans {
    private static final int MOST = 1_000;

    private record Key(IndexReader.CacheKey reader, Query filter) {}

    private final Map<Key, SegmentPlan> plans = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, SegmentPlan> eldest) {
            return size() > MOST;
        }
    };

    /** The plan of a segment for a filter. */
    SegmentPlan of(LeafReaderContext segment, Weight filter) throws IOException {
        IndexReader.CacheHelper reader = segment.reader().getReaderCacheHelper();
        if (reader == null) {
            return SegmentPlan.of(segment, filter);
        }
        Key key = new Key(reader.getKey(), filter.getQuery());
        SegmentPlan known;
        synchronized (plans) {
            known = plans.get(key);
        }
        if (known == null) {
            known = SegmentPlan.of(segment, filter);
            synchronized (plans) {
                plans.put(key, known);
            }
        }
        return known;
    }
}
