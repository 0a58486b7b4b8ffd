package dev.veilgate.index;

import dev.veilgate.query.Digest;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what Test said, by segment, target and trapdoor, within a bound of bytes: a search that is repeated, or shares a keyword with an earlier one, runs Test only
 * on what is new. The answers used longest ago go first; those of a segment go with it. Lucene's own query cache does not fit: it leaves small
 * segments out, begins at the fifth use, and knows documents but no records.
 *
 * <p>Safe for use by several threads.
 */
public final class AnswerCache {
    /** A trapdoor does not say whose it is, and is tried on blocks of a tenant's target only. */
    private record Key(IndexReader.CacheKey segment, BytesRef target, Digest trapdoor) {}

    private final long maxBytes;
    private final Map<Key, Answers> answers = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<IndexReader.CacheKey> segments = new HashSet<>();
    private long bytes;

    /** @param maxBytes of heap; 0 for no cache */
    public AnswerCache(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /** Bytes of heap that are held, roughly. */
    public synchronized long bytes() {
        return bytes;
    }

    /**
     * The answers of a trapdoor for blocks of a target in a segment, to be read and added to; null if they cannot be
     * kept.
     *
     * @param target {@link BlockFields#term}, which nobody changes
     */
    @Nullable
    Answers of(LeafReader segment, BytesRef target, Digest trapdoor) {
        IndexReader.CacheHelper core = segment.getCoreCacheHelper();
        if (core == null || maxBytes == 0) {
            return null;
        }
        boolean isNew;
        Answers found;
        synchronized (this) {
            isNew = segments.add(core.getKey());
            Key key = new Key(core.getKey(), target, trapdoor);
            found = answers.get(key);
            if (found == null) {
                found = new Answers(this, segment.maxDoc());
                answers.put(key, found);
                bytes += found.countedBytes();
                evict();
            }
        }
        if (isNew) {
            core.addClosedListener(this::forget); // outside the lock: closing a segment takes locks of its own
        }
        return found;
    }

    synchronized void grow(Answers some, long by) {
        if (some.countedBytes() > 0) { // not dropped meanwhile, while a search still uses it
            some.count(by);
            bytes += by;
            evict();
        }
    }

    private void evict() {
        Iterator<Answers> eldest = answers.values().iterator();
        while (bytes > maxBytes && eldest.hasNext()) {
            drop(eldest.next());
            eldest.remove();
        }
    }

    private synchronized void forget(IndexReader.CacheKey segment) {
        segments.remove(segment);
        Iterator<Map.Entry<Key, Answers>> each = answers.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Key, Answers> next = each.next();
            if (next.getKey().segment.equals(segment)) {
                drop(next.getValue());
                each.remove();
            }
        }
    }

    private void drop(Answers some) {
        bytes -= some.countedBytes();
        some.count(-some.countedBytes());
    }
}
