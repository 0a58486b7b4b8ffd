package dev.veilgate.gateway.store;

import dev.veilgate.index.AnswerCache;
import dev.veilgate.index.SealedQuery;
import dev.veilgate.index.SealedScorer;
import dev.veilgate.index.SearchMonitor;
import dev.veilgate.query.PreparedSearch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.TwoPhaseIterator;
import org.apache.lucene.search.Weight;
import org.apache.lucene.util.Bits;
import org.jspecify.annotations.Nullable;

/**
 * One search of everything in one reader, in ranges of documents. Searches share the threads: after each range the next search has its turn, so that a small one does not wait for a
 * large one.
 */
final class StoreSearch {
    /** Within a range, how many envelopes are counted together at least: one alone may take tens of milliseconds. */
    private static final int COUNTED_TOGETHER = 8;

    /** Within a range, time after which what was looked at is counted: threads that count wait for each other. */
    private static final long COUNT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Blocks of a segment that are looked up without another thread. */
    private static final int FEW_MATCHES = 64;

    private static final long PROGRESS_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private record Range(LeafReaderContext leaf, SegmentPlan.Range documents) {}

    private final Executor threads;
    private final int parallel;
    private final SearchSink sink;
    private final SearchMonitor monitor;
    private final Weight weight;
    private final List<Range> remembered = new ArrayList<>();
    private final Queue<Range> ranges = new ConcurrentLinkedQueue<>();
    private final CountDownLatch running;
    private volatile @Nullable Throwable failure;
    private volatile boolean ended;

    private long envelopes;
    private long envelopesDone;
    private long hits;
    private long records;
    private long progressAt = System.nanoTime();

    /** @param parallel on how many of the threads at a time */
    StoreSearch(
            IndexSearcher searcher,
            PreparedSearch search,
            AnswerCache answers,
            SegmentPlans plans,
            Executor threads,
            int parallel,
            SearchSink sink,
            BooleanSupplier cancelled)
            throws IOException {
        this.threads = threads;
        this.parallel = parallel;
        this.sink = sink;
        this.monitor = new SearchMonitor(() -> ended || cancelled.getAsBoolean());
        this.running = new CountDownLatch(parallel);
        Query admitted = EnvelopeDocuments.admitted(search.request());
        this.weight = weight(searcher, new SealedQuery(search, admitted, answers, monitor));
        plan(searcher, plans, weight(searcher, EnvelopeDocuments.looked(search.request())));
    }

    private static Weight weight(IndexSearcher searcher, Query query) throws IOException {
        return searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE_NO_SCORES, 1);
    }

    private void plan(IndexSearcher searcher, SegmentPlans plans, Weight filter) throws IOException {
        for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
            SegmentPlan plan = plans.of(leaf, filter);
            envelopes += plan.envelopes();
            if (plan.envelopes() > 0) {
                plan(leaf, plan);
            }
        }
    }

    private void plan(LeafReaderContext leaf, SegmentPlan plan) throws IOException {
        Scorer scorer = weight.scorer(leaf);
        if (!(scorer instanceof SealedScorer sealed)) { // it has no block that a trapdoor applies to
            envelopesDone += plan.envelopes();
            return;
        }
        SealedScorer.Remembered there = sealed.remembered();
        if (there != null) {
            monitor.countRemembered(Math.min(plan.blocks(), there.blocks()));
            if (there.matches() <= FEW_MATCHES) {
                Range whole =
                        new Range(leaf, new SegmentPlan.Range(0, leaf.reader().maxDoc(), plan.envelopes()));
                (there.all() ? remembered : ranges).add(whole); // Test is for the threads that searches share
                return;
            }
        }
        plan.ranges().forEach(range -> ranges.add(new Range(leaf, range)));
    }

    /** Searches to the end, or until it is cancelled or fails. */
    SearchProgress run() throws IOException {
        sink.progress(progress()); // how many there are, before the first of them takes its time
        searchRemembered();
        boolean interrupted = false;
        if (!ranges.isEmpty()) {
            for (int i = 0; i < parallel; i++) {
                next();
            }
            interrupted = awaitEnd();
        }
        SearchProgress last = progress();
        sink.progress(last);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        Throwable cause = failure;
        if (cause != null && !(cause instanceof CancellationException)) {
            throw new IOException("the search failed", cause);
        }
        return last;
    }

    /** No thread may touch the reader any more when this returns, so an interrupt only ends the search early. */
    private boolean awaitEnd() {
        boolean interrupted = false;
        while (true) {
            try {
                running.await();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
                ended = true;
            }
        }
    }

    /** On this thread: to wake another takes longer. */
    private void searchRemembered() {
        try {
            for (Range range : remembered) {
                search(range);
            }
        } catch (IOException | RuntimeException | Error e) {
            end(e);
        }
    }

    private void next() {
        try {
            threads.execute(this::step);
        } catch (RejectedExecutionException e) {
            end(new IOException("the store is closing", e));
        }
    }

    private void step() {
        Range range = ended ? null : ranges.poll();
        if (range == null) {
            running.countDown();
            return;
        }
        try {
            search(range);
        } catch (IOException | RuntimeException | Error e) {
            end(e);
            return;
        }
        next();
    }

    private void end(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        ended = true;
        running.countDown();
    }

    private void search(Range range) throws IOException {
        int looked = 0;
        int counted = 0;
        long countedAt = System.nanoTime();
        Scorer scorer = weight.scorer(range.leaf);
        if (scorer instanceof SealedScorer sealed) {
            Bits live = range.leaf.reader().getLiveDocs();
            HitReader reader = new HitReader(range.leaf.reader());
            TwoPhaseIterator phases = sealed.twoPhaseIterator();
            DocIdSetIterator candidates = phases.approximation();
            for (int at = candidates.advance(range.documents.from());
                    at < range.documents.to();
                    at = candidates.nextDoc()) {
                if (live != null && !live.get(at)) {
                    continue;
                }
                if (phases.matches()) {
                    hit(reader.read(at, sealed.records()));
                }
                if (++looked % COUNTED_TOGETHER == 0 && System.nanoTime() - countedAt >= COUNT_NANOS) {
                    done(looked - counted);
                    counted = looked;
                    countedAt = System.nanoTime();
                }
            }
        }
        done(range.documents.envelopes() - counted);
    }

    private synchronized void hit(SearchHit hit) {
        hits++;
        records += hit.records().size();
        sink.hit(hit);
    }

    private synchronized void done(int searched) {
        envelopesDone += searched;
        long now = System.nanoTime();
        if (now - progressAt >= PROGRESS_NANOS) {
            progressAt = now;
            sink.progress(progress());
        }
    }

    private synchronized SearchProgress progress() {
        return new SearchProgress(
                envelopes, envelopesDone, monitor.blocksTested(), monitor.blocksRemembered(), hits, records);
    }
}
