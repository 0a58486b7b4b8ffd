package dev.veilgate.gateway.ingest;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.journal.Journal;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what is durable in the journal into store and database, in the journal's order, on one thread. What fails (a full disk, a database that is
 * away) is tried again until it succeeds: it was acknowledged. At the start it replays what each of the two does not have yet.
 */
final class Applier {
    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

    private static final int MAX_BATCH = 256;
    private static final long MAX_BATCH_BYTES = 16 << 20;
    private static final long REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long CHECKPOINT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long RETRY_MILLIS = 500;

    /**
     * An entry that is durable.
     *
     * @param bytes   of its payload
     * @param next    position behind it
     * @param applied run once store and database have it
     */
    record Handed(Admitted admitted, int bytes, long next, Runnable applied) {}

    private final Journal journal;
    private final EnvelopeStore store;
    private final StageTransaction stages;
    private final IndexSchemes schemes;
    private final BlockingQueue<Handed> queue = new LinkedBlockingQueue<>();
    private final Thread thread = Thread.ofPlatform().name("applier").unstarted(this::run);
    private volatile boolean stopping;
    private volatile @Nullable String trouble;
    private volatile long applied;
    private long refreshedAt;
    private long checkpointAt;
    private boolean unrefreshed;
    private boolean unsaved;

    Applier(Journal journal, EnvelopeStore store, StageTransaction stages, IndexSchemes schemes) {
        this.journal = journal;
        this.store = store;
        this.stages = stages;
        this.schemes = schemes;
    }

    /** Replays, then starts. Call before anything is submitted. */
    void start() throws IOException, MalformedEncodingException {
        long from = Math.min(store.position(), stages.position());
        applied = from;
        List<Handed> batch = new ArrayList<>();
        journal.replay(from, (next, payload) -> {
            try {
                batch.add(new Handed(decode(payload), payload.length, next, () -> {}));
            } catch (MalformedEncodingException e) {
                throw new IOException("the journal's entry before " + next + " is damaged: " + e.getMessage(), e);
            }
            if (isFull(batch)) {
                replay(batch);
            }
        });
        replay(batch);
        if (applied > from) {
            LOG.info("replayed {} bytes of the journal", applied - from);
        }
        store.refresh();
        checkpoint();
        thread.start();
    }

    private void replay(List<Handed> batch) throws IOException {
        if (!batch.isEmpty()) {
            apply(batch);
            batch.clear();
        }
    }

    private Admitted decode(byte[] payload) throws MalformedEncodingException {
        Entry entry = Entry.decode(payload);
        if (entry.envelope() == null) {
            return new Admitted(entry, Optional.empty());
        }
        Envelope envelope = Envelope.decode(entry.envelope());
        Arrival arrival = new Arrival(
                envelope, Admission.store(envelope, schemes, key -> true), entry.message(), entry.arrived());
        return new Admitted(entry, Optional.of(arrival));
    }

    void hand(Handed handed) {
        queue.add(handed);
    }

    /** Bytes that were taken and are not applied yet. */
    long backlogBytes() {
        return journal.end() - applied;
    }

    /** What keeps it from going on; empty if nothing does. */
    Optional<String> trouble() {
        return Optional.ofNullable(trouble);
    }

    /** Applies what was handed, saves and ends. */
    void stop() throws InterruptedException {
        stopping = true;
        thread.join();
    }

    private void run() {
        List<Handed> batch = new ArrayList<>();
        while (!stopping || !queue.isEmpty()) {
            try {
                take(batch);
                if (!batch.isEmpty()) {
                    applyUntilDone(batch);
                    batch.clear();
                }
                refreshAndSave(false);
            } catch (InterruptedException e) {
                LOG.info("interrupted; what is not applied is replayed at the next start");
                return;
            }
        }
        refreshAndSave(true);
    }

    private void take(List<Handed> batch) throws InterruptedException {
        Handed next = queue.poll(50, TimeUnit.MILLISECONDS);
        while (next != null) {
            batch.add(next);
            next = isFull(batch) ? null : queue.poll();
        }
    }

    private static boolean isFull(List<Handed> batch) {
        return batch.size() >= MAX_BATCH
                || batch.stream().mapToLong(Handed::bytes).sum() >= MAX_BATCH_BYTES;
    }

    private void applyUntilDone(List<Handed> batch) throws InterruptedException {
        while (true) {
            try {
                apply(batch);
                trouble = null;
                return;
            } catch (IOException | RuntimeException e) {
                noteTrouble("applying what was taken", e);
                if (stopping) {
                    throw new InterruptedException();
                }
                Thread.sleep(RETRY_MILLIS);
            }
        }
    }

    private void noteTrouble(String what, Exception e) {
        if (trouble == null) {
            LOG.error("{} fails; it is tried again", what, e);
        }
        trouble = what + " fails: " + e.getClass().getSimpleName();
    }

    private void apply(List<Handed> batch) throws IOException {
        long next = batch.getLast().next();
        List<Arrival> arrivals = new ArrayList<>();
        List<Applied> forStages = new ArrayList<>();
        long stored = store.position();
        long staged = stages.position();
        for (Handed handed : batch) {
            Entry entry = handed.admitted().entry();
            handed.admitted().arrival().ifPresent(arrivals::add);
            if (handed.next() > staged) {
                forStages.add(new Applied(
                        handed.admitted().arrival(), entry.message(), entry.reversePath(), entry.recipients()));
            }
        }
        if (next > stored) {
            store.add(arrivals, next);
            unrefreshed = true;
        }
        if (next > staged) {
            stages.apply(forStages, next);
        }
        applied = next;
        unsaved = true;
        batch.forEach(handed -> handed.applied().run());
    }

    private void refreshAndSave(boolean now) {
        long nanos = System.nanoTime();
        try {
            if (unrefreshed && (now || nanos - refreshedAt > REFRESH_NANOS)) {
                store.refresh();
                unrefreshed = false;
                refreshedAt = System.nanoTime();
            }
            if (unsaved && (now || nanos - checkpointAt > CHECKPOINT_NANOS)) {
                checkpoint();
            }
        } catch (IOException | RuntimeException e) {
            noteTrouble("saving the store", e);
        }
    }

    private void checkpoint() throws IOException {
        store.commit();
        stages.sync();
        journal.release(Math.min(store.position(), stages.position()));
        unsaved = false;
        checkpointAt = System.nanoTime();
    }
}
