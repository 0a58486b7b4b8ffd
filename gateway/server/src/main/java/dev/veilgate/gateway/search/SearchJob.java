package dev.veilgate.gateway.search;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.store.SearchHit;
import dev.veilgate.gateway.store.SearchProgress;
import dev.veilgate.gateway.store.SearchSink;
import dev.veilgate.query.BlockTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A search that runs or ran, and its hits. Whoever reads them does not hold it up. */
final class SearchJob implements SearchSink {
    /** How it ended. */
    enum Outcome {
        COMPLETE,
        CANCELLED,
        FAILED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How it stands.
     *
     * @param hits    that can be read
     * @param outcome null while it runs
     * @param millis  since it was started, or that it took
     * @param unasked what it has no trapdoor for; null before its end, and if it did not go through all
     */
    record State(
            long hits,
            SearchProgress progress,
            @Nullable Outcome outcome,
            long millis,
            @Nullable List<BlockTarget> unasked) {}

    private final UUID id;
    private final Principal owner;
    private final Instant created;
    private final HitFile hits;
    private final Function<SearchHit, byte[]> form;
    private final long startedNanos = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private SearchProgress progress = new SearchProgress(0, 0, 0, 0, 0, 0);
    private @Nullable Outcome outcome;
    private @Nullable List<BlockTarget> unasked;
    private long millis;
    private volatile boolean cancelled;
    private volatile Instant touched;

    /** @param form what is kept of a hit */
    SearchJob(UUID id, Principal owner, Instant created, HitFile hits, Function<SearchHit, byte[]> form) {
        this.id = id;
        this.owner = owner;
        this.created = created;
        this.touched = created;
        this.hits = hits;
        this.form = form;
    }

    UUID id() {
        return id;
    }

    String tenant() {
        return owner.tenant();
    }

    Instant created() {
        return created;
    }

    /** Only who started it sees it: another token may not be allowed its scopes. */
    boolean isOf(Principal principal) {
        return owner.kind() == principal.kind()
                && owner.name().equals(principal.name())
                && owner.tenant().equals(principal.tenant());
    }

    Instant touched() {
        return touched;
    }

    /** Somebody asked about it. */
    void touch(Instant now) {
        touched = now;
    }

    void cancel() {
        cancelled = true;
    }

    boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void hit(SearchHit hit) {
        try {
            hits.add(form.apply(hit));
        } catch (IOException e) {
            throw new UncheckedIOException("hits could not be written", e);
        }
    }

    @Override
    public void progress(SearchProgress now) {
        try {
            hits.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("hits could not be written", e);
        }
        lock.lock();
        try {
            progress = now;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void unasked(List<BlockTarget> targets) {
        lock.lock();
        try {
            unasked = List.copyOf(targets);
        } finally {
            lock.unlock();
        }
    }

    void end(Outcome how) {
        lock.lock();
        try {
            outcome = how;
            millis = millisSinceStart();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    State state() {
        lock.lock();
        try {
            return stateNow();
        } finally {
            lock.unlock();
        }
    }

    private State stateNow() {
        return new State(hits.count(), progress, outcome, outcome == null ? millisSinceStart() : millis, unasked);
    }

    private long millisSinceStart() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startedNanos);
    }

    /** The next state that differs from what the caller has seen, or the present one after some seconds. */
    State await(long hitsSeen, @Nullable SearchProgress progressSeen, long seconds) throws InterruptedException {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(seconds);
            while (outcome == null && hits.count() <= hitsSeen && progress.equals(progressSeen) && left > 0) {
                left = changed.awaitNanos(left);
            }
            return stateNow();
        } finally {
            lock.unlock();
        }
    }

    /** See {@link HitFile#read}. */
    List<byte[]> read(long after, int limit) throws IOException {
        return hits.read(after, limit);
    }

    /** Deletes the hits. */
    void remove() throws IOException {
        hits.close();
    }
}
