package dev.veilgate.gateway.store;

import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.RamUsageEstimator;

/**
 * Plans of the segments and filters that were searched last, within a bound of bytes. A segment's documents never
 * change; what is deleted of them makes another reader. Safe for use by several threads.
 */
final class SegmentPlans {
    private static final long MAX_BYTES = 8 << 20;

    /** Most bytes of a filter that is kept: longer ones name many senders, and are rare. */
    private static final long MAX_FILTER_BYTES = 4 << 10;

    private static final long BYTES = 400;
    private static final long RANGE_BYTES = 32;

    private record Key(IndexReader.CacheKey reader, Query filter) {}

    private final Map<Key, SegmentPlan> plans = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** Bytes of heap that are held, roughly. */
    long bytes() {
        synchronized (plans) {
            return bytes;
        }
    }

    /** The plan of a segment for a filter. */
    SegmentPlan of(LeafReaderContext segment, Weight filter) throws IOException {
        IndexReader.CacheHelper reader = segment.reader().getReaderCacheHelper();
        if (reader == null || RamUsageEstimator.sizeOf(filter.getQuery()) > MAX_FILTER_BYTES) {
            return SegmentPlan.of(segment, filter);
        }
        Key key = new Key(reader.getKey(), filter.getQuery());
        SegmentPlan known;
        synchronized (plans) {
            known = plans.get(key);
        }
        if (known == null) {
            known = SegmentPlan.of(segment, filter);
            keep(key, known);
        }
        return known;
    }

    private void keep(Key key, SegmentPlan plan) {
        synchronized (plans) {
            bytes += plans.put(key, plan) == null ? bytes(key, plan) : 0;
            Iterator<Map.Entry<Key, SegmentPlan>> eldest = plans.entrySet().iterator();
            while (bytes > MAX_BYTES && eldest.hasNext()) {
                Map.Entry<Key, SegmentPlan> next = eldest.next();
                bytes -= bytes(next.getKey(), next.getValue());
                eldest.remove();
            }
        }
    }

    private static long bytes(Key key, SegmentPlan plan) {
        return BYTES
                + RamUsageEstimator.sizeOf(key.filter)
                + RANGE_BYTES * plan.ranges().size();
    }
}
