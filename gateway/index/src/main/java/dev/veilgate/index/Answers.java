package dev.veilgate.index;

import dev.veilgate.peks.RecordSet;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * What Test said of one trapdoor and the blocks of one target in one segment, as far as it was asked. Neither ever changes, so an answer holds for good. Safe for use by
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
    private volatile boolean complete;
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

    /**
     * Tells if all blocks of a target were asked, but for those that are deleted: then no other document has a match.
     *
     * @param blocks of the target in the segment, all that it ever had
     */
    boolean isComplete(int blocks, LeafReader segment, Documents documents) throws IOException {
        if (!complete) { // counted here alone: to count each answer costs as much as a tenth of a Test
            int count = asked();
            complete = count >= blocks
                    || count >= blocks - segment.numDeletedDocs()
                            && areAllAsked(segment.getLiveDocs(), documents.of(segment));
        }
        return complete;
    }

    private int asked() {
        int count = 0;
        for (int word = 0; word < asked.length(); word++) {
            count += Long.bitCount(asked.getAcquire(word));
        }
        return count;
    }

    /** Documents of the blocks of a target. */
    @FunctionalInterface
    interface Documents {
        DocIdSetIterator of(LeafReader segment) throws IOException;
    }

    private boolean areAllAsked(@Nullable Bits live, DocIdSetIterator blocks) throws IOException {
        for (int block = blocks.nextDoc(); block != DocIdSetIterator.NO_MORE_DOCS; block = blocks.nextDoc()) {
            if ((live == null || live.get(block)) && (asked.getAcquire(block >> 6) & 1L << block) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Number of the documents that have a match. */
    long matches() {
        return matches.size();
    }

    /** The first document from one on that has a match; {@link DocIdSetIterator#NO_MORE_DOCS} if there is none. */
    int nextMatch(int from) {
        int word = from >> 6;
        if (word >= matched.length()) {
            return DocIdSetIterator.NO_MORE_DOCS;
        }
        long bits = matched.getAcquire(word) & -1L << from;
        while (bits == 0) {
            if (++word == matched.length()) {
                return DocIdSetIterator.NO_MORE_DOCS;
            }
            bits = matched.getAcquire(word);
        }
        return (word << 6) + Long.numberOfTrailingZeros(bits);
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
