package dev.veilgate.index;

import dev.veilgate.peks.RecordSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * What Test said of one trapdoor and the blocks of one segment, as far as it was asked. Neither ever changes, so an answer holds for good. Safe for use by
 * several threads.
 */
final class Answers {
    /** Of a map's node, its key, and a set of records. */
    private static final int MATCH_BYTES = 176;

    private static final RecordSet NONE = RecordSet.of();

    private final AnswerCache cache;
    private final AtomicLongArray asked;
    private final AtomicLongArray matched;
    private final Map<Integer, RecordSet> matches = new ConcurrentHashMap<>();
    /** What the cache has counted for this; guarded by the cache. */
    private long countedBytes;

    Answers(AnswerCache cache, int documents) {
        this.cache = cache;
        this.asked = new AtomicLongArray((documents + 63) / 64);
        this.matched = new AtomicLongArray(asked.length());
        this.countedBytes = 256 + 16L * asked.length();
    }

    /** The records in which a block has the keyword, empty for none; null if this was not asked yet. */
    @Nullable
    RecordSet get(int document) {
        if ((asked.getAcquire(document >> 6) & 1L << document) == 0) {
            return null;
        }
        return (matched.getPlain(document >> 6) & 1L << document) == 0 ? NONE : matches.getOrDefault(document, NONE);
    }

    void put(int document, RecordSet records) {
        if (!records.isEmpty()) {
            boolean isNew = matches.putIfAbsent(document, records) == null;
            set(matched, document); // also if another thread put it, which may not have come to its bit yet
            if (isNew) {
                cache.grow(this, MATCH_BYTES);
            }
        }
        set(asked, document); // only now: who sees this bit sees the match
    }

    private static void set(AtomicLongArray bits, int document) {
        bits.accumulateAndGet(document >> 6, 1L << document, (before, bit) -> before | bit);
    }

    /** To be called by the cache only. */
    long countedBytes() {
        return countedBytes;
    }

    /** To be called by the cache only. */
    void count(long bytes) {
        countedBytes += bytes;
    }
}
