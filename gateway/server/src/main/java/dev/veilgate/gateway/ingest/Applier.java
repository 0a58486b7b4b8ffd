package dev.veilgate.gateway.ingest;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.ingest.StageTransaction.Staged;
import dev.veilgate.gateway.journal.Journal;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.IndexAdmission;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what is durable in the journal into store and database, in the journal's order, on one thread. What fails (a
 * full disk, a database that is away) is tried again until it succeeds: it was acknowledged. Only an entry that itself
 * fails again and again for a reason that lasts is set aside, so that it does not keep back what is behind it. At the
 * start it replays what each of the two does not have yet, and tries once what is set aside. It does so, too, whenever
 * the database turns out to be older than what was applied: an embedded one closes itself when its disk is full, and
 * any may be restored.
 */
final class Applier implements Visibility {
    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);

    private static final int MAX_BATCH = 256;
    private static final long MAX_BATCH_BYTES = 16 << 20;
    private static final long REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long IDLE_MILLIS = 50;
    /** How long a search may wait for a refresh at most, when nothing else is to be done. */
    private static final long AWAITED_MILLIS = 5;

    /** Between two refreshes that somebody waits for: each makes a segment. */
    private static final long AWAITED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long CHECKPOINT_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** Between two questions to the database while there is nothing to apply. */
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long RETRY_MILLIS = 500;
    /**
     * Of an entry alone, for a reason that lasts. Short: who could make such entries must not be able to hold up the
     * others for long.
     */
    private static final int ATTEMPTS = 5;

    private static final long ATTEMPT_MILLIS = 100;

    /** What can fail and is tried again. */
    private enum Work {
        APPLYING("applying what was taken"),
        ASKING("asking the database how far it is"),
        REFRESHING("making visible what was stored"),
        SAVING("saving the store");

        final String words;

        Work(String words) {
            this.words = words;
        }
    }

    /** In place of an entry that is passed over. */
    private static final Admitted NOTHING =
            new Admitted(new Entry(Instant.EPOCH, null, null, "", List.of()), Optional.empty());

    /**
     * An entry that is durable.
     *
     * @param payload as the journal has it
     * @param next    position behind it
     * @param applied run once store and database have it, or it is set aside
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Handed(Admitted admitted, byte[] payload, long next, Runnable applied) {
        long begin() {
            return Journal.begin(next, payload);
        }
    }

    private final Journal journal;
    private final EnvelopeStore store;
    private final StageTransaction stages;
    private final IndexSchemes schemes;
    private final SetAside setAside;
    private final BlockingQueue<Handed> queue = new LinkedBlockingQueue<>();
    private final Thread thread = Thread.ofPlatform().name("applier").unstarted(this::run);
    private volatile boolean stopping;
    private final Map<Work, String> trouble = new ConcurrentHashMap<>();
    /** Position behind the last envelope of a tenant. */
    private final Map<String, Long> handed = new ConcurrentHashMap<>();

    /** Position up to which store and database have all; goes back when the database does. */
    private volatile long applied;

    /** The greatest that it was. */
    private volatile long reached;

    private volatile long progressAt = System.nanoTime();
    private volatile boolean databaseFails;
    private final AtomicLong timesBehind = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition visibleOrInTrouble = lock.newCondition();
    /** Position up to which searches find all; under the lock. */
    private long visible;
    /** Position up to which somebody waits for that. */
    private volatile long awaited;
    /** Position up to which the store was given all. */
    private long added;

    private long refreshedAt;
    private long checkpointAt;
    private long askedAt;
    private boolean unrefreshed;
    private boolean unsaved;

    Applier(Journal journal, EnvelopeStore store, StageTransaction stages, IndexSchemes schemes, SetAside setAside) {
        this.journal = journal;
        this.store = store;
        this.stages = stages;
        this.schemes = schemes;
        this.setAside = setAside;
    }

    /**
     * Replays, then starts. Call before anything is submitted.
     *
     * @throws IOException           if the journal or the store cannot be read or written
     * @throws IllegalStateException if something that may pass keeps it from replaying
     */
    void start() throws IOException {
        long staged = stages.position();
        added = store.position();
        journal.requireHeld(staged);
        journal.requireHeld(added);
        long from = Math.min(added, staged);
        applied = from;
        reached = staged;
        try {
            replay(journal.end());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the journal was replayed");
        }
        if (applied > from) {
            LOG.info("replayed {} bytes of the journal", applied - from);
        }
        refreshStore();
        checkpoint();
        applySetAside();
        thread.start();
    }

    /** From what is applied on, up to a position between two entries. */
    private void replay(long to) throws IOException, InterruptedException {
        while (applied < to) {
            List<Handed> batch = new ArrayList<>();
            journal.read(applied, (next, payload) -> {
                batch.add(new Handed(decode(next, payload), payload, next, () -> {}));
                return next < to && !isFull(batch);
            });
            applyUntilDone(batch);
        }
    }

    /** The database is older than it was: gives it again what it lacks. What is in the store is there. */
    private void catchUp(long staged, long to) throws IOException, InterruptedException {
        LOG.warn(
                "the database is at {} though {} was applied: it was closed or restored; what is between is applied again from the journal",
                staged,
                to);
        timesBehind.incrementAndGet();
        applied = staged; // whoever asks for the backlog sees it
        replay(to);
        LOG.info("the database is at {} again", to);
    }

    private Admitted decode(long next, byte[] payload) throws IOException {
        if (setAside.holds(next)) {
            return NOTHING;
        }
        Entry entry;
        try {
            entry = Entry.decode(payload);
        } catch (MalformedEncodingException e) {
            throw new IOException("the journal's entry before " + next + " is damaged: " + e.getMessage(), e);
        }
        try {
            return admitted(entry);
        } catch (MalformedEncodingException e) { // such as a block of a scheme that nobody knew here when it was taken
            setAside(next, payload, e);
            return NOTHING;
        }
    }

    private Admitted admitted(Entry entry) throws MalformedEncodingException {
        if (entry.envelope() == null) {
            return new Admitted(entry, Optional.empty());
        }
        Envelope envelope = Envelope.decode(entry.envelope());
        Arrival arrival =
                new Arrival(envelope, IndexAdmission.trust(envelope, schemes), entry.message(), entry.arrived());
        return new Admitted(entry, Optional.of(arrival));
    }

    private void setAside(long next, byte[] payload, Throwable why) throws IOException {
        setAside.put(next, payload);
        LOG.error(
                "an entry cannot be applied and is set aside as {}; what is behind it goes on: {}",
                SetAside.name(next),
                LastingFailure.describe(why));
    }

    /** Once: this version may be able to. A file goes when store and database are durable with what was in it. */
    private void applySetAside() throws IOException {
        stages.forgetOnceApplied(setAside.positions());
        List<Long> done = new ArrayList<>();
        for (long position : setAside.positions()) {
            try {
                Admitted admitted = admitted(Entry.decode(setAside.payload(position)));
                store.add(admitted.arrival().stream().toList(), applied);
                unrefreshed = true;
                unsaved = true;
                stages.applyOnce(position, List.of(forStages(admitted)));
                done.add(position);
            } catch (IOException | RuntimeException | StackOverflowError | MalformedEncodingException e) {
                LOG.warn(
                        "{} stays set aside until the next start: {}",
                        SetAside.name(position),
                        LastingFailure.describe(e));
            }
        }
        if (done.isEmpty()) {
            return;
        }
        refreshStore();
        checkpoint();
        List<Long> durable = stages.appliedOnce(); // a database that closed itself meanwhile has forgotten them
        for (long position : done) {
            if (durable.contains(position)) {
                setAside.remove(position);
                LOG.info("{} was set aside and is applied now", SetAside.name(position));
            } else {
                LOG.warn(
                        "{} stays set aside until the next start: the database is older again",
                        SetAside.name(position));
            }
        }
    }

    /** From one thread, in the journal's order; before what it holds is acknowledged. */
    void hand(Handed entry) {
        entry.admitted()
                .arrival()
                .ifPresent(arrival -> handed.put(arrival.envelope().tenant(), entry.next()));
        queue.add(entry);
    }

    @Override
    public boolean await(String tenant, Duration most) throws InterruptedException {
        long wanted = handed.getOrDefault(tenant, 0L);
        long left = most.toNanos();
        lock.lock();
        try {
            while (visible < wanted && !isHeldUp() && left > 0) {
                awaited = Math.max(awaited, wanted);
                left = visibleOrInTrouble.awaitNanos(left);
            }
            return visible >= wanted;
        } finally {
            lock.unlock();
        }
    }

    /** A search would wait in vain; one that only cannot be saved yet is visible all the same. */
    private boolean isHeldUp() {
        return trouble.containsKey(Work.APPLYING) || trouble.containsKey(Work.REFRESHING);
    }

    /** Bytes that were taken and are not applied yet. */
    long backlogBytes() {
        return journal.end() - applied;
    }

    /** What keeps it from going on; empty if nothing does. */
    Optional<String> trouble() {
        return trouble.values().stream().findFirst();
    }

    /** Whether the database does not answer now, or lacks what it had; for people. */
    Optional<String> databaseTrouble() {
        if (databaseFails) {
            return Optional.of("the database does not take what it is given");
        }
        try {
            long before = reached; // it is moved after the database's
            long staged = stages.positionUnlocked();
            return staged < before
                    ? Optional.of("the database is at " + staged + " and was at " + before)
                    : Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of("the database does not answer: " + e.getClass().getSimpleName());
        }
    }

    /**
     * For how long nothing could be applied though something waits, or the database is in trouble; else nothing but
     * moments.
     */
    Duration stalled() {
        return Duration.ofNanos(System.nanoTime() - progressAt);
    }

    /** How often the database was found to be older than it had been. */
    long timesBehind() {
        return timesBehind.get();
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
                askDatabase();
                refreshAndSave(false);
            } catch (InterruptedException e) {
                LOG.info("interrupted; what is not applied is replayed at the next start");
                return;
            }
        }
        refreshAndSave(true);
    }

    private void take(List<Handed> batch) throws InterruptedException {
        Handed next = queue.poll(unrefreshed ? AWAITED_MILLIS : IDLE_MILLIS, TimeUnit.MILLISECONDS);
        while (next != null) {
            batch.add(next);
            next = isFull(batch) ? null : queue.poll();
        }
    }

    private static boolean isFull(List<Handed> batch) {
        return batch.size() >= MAX_BATCH
                || batch.stream().mapToLong(handed -> handed.payload().length).sum() >= MAX_BATCH_BYTES;
    }

    /** While there is something to apply, applying it asks. */
    private void askDatabase() throws InterruptedException {
        boolean failed = trouble.containsKey(Work.ASKING);
        if (isOver(ASK_NANOS, askedAt) || failed && isOver(REFRESH_NANOS, askedAt)) {
            try {
                long staged = stages.position();
                if (staged < reached) {
                    catchUp(staged, reached);
                }
                trouble.remove(Work.ASKING);
                databaseFails = false;
            } catch (IOException | RuntimeException e) {
                databaseFails = true;
                noteTrouble(Work.ASKING, e);
            }
            askedAt = System.nanoTime();
        }
        if (!trouble.containsKey(Work.ASKING)) {
            progressAt = System.nanoTime();
        }
    }

    /** Entry by entry if a batch fails for a reason that lasts; an entry that goes on failing so is set aside. */
    private void applyUntilDone(List<Handed> batch) throws InterruptedException {
        Handed first = batch.getFirst();
        Throwable why = null;
        int attempts = 0;
        while (true) {
            try {
                if (why != null && attempts >= ATTEMPTS && !setAside.holds(first.next())) {
                    setAside(first.next(), first.payload(), why);
                }
                apply(batch);
                return;
            } catch (IOException | RuntimeException | Error e) {
                boolean alone = batch.size() == 1;
                boolean lasts = LastingFailure.is(e) && !(alone && setAside.holds(first.next()));
                if (lasts && !alone) {
                    break;
                }
                if (lasts) {
                    why = e;
                    attempts++;
                } else {
                    databaseFails = LastingFailure.isOfDatabase(e);
                    noteTrouble(Work.APPLYING, e);
                    requireRunning(e);
                }
                if (stopping) {
                    throw new InterruptedException();
                }
                refresh(false); // searches find what the store has, though the database is away
                Thread.sleep(lasts ? ATTEMPT_MILLIS : RETRY_MILLIS);
            }
        }
        for (Handed each : batch) {
            applyUntilDone(List.of(each));
        }
    }

    /** A start does not wait for what passes. */
    private void requireRunning(Throwable failure) {
        if (!thread.isAlive()) {
            throw new IllegalStateException("what the journal holds cannot be applied now", failure);
        }
    }

    private void noteTrouble(Work work, Throwable e) {
        lock.lock();
        try {
            String before =
                    trouble.put(work, work.words + " fails: " + e.getClass().getSimpleName());
            if (before == null) {
                LOG.error("{} fails; it is tried again", work.words, e);
            }
            visibleOrInTrouble.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void apply(List<Handed> batch) throws IOException, InterruptedException {
        long begin = batch.getFirst().begin();
        long next = batch.getLast().next();
        List<Arrival> arrivals = new ArrayList<>();
        List<Staged> forStages = new ArrayList<>();
        for (Handed handed : batch) {
            if (!setAside.holds(handed.next())) {
                handed.admitted().arrival().ifPresent(arrivals::add);
                forStages.add(new Staged(forStages(handed.admitted()), handed.next()));
            }
        }
        if (next > added) { // else the store has it, and keeps it
            store.add(arrivals, next);
            added = next;
            unrefreshed = true;
        }
        long staged = stages.apply(forStages, begin, next);
        while (staged < begin) {
            catchUp(staged, begin);
            staged = stages.apply(forStages, begin, next);
        }
        if (staged > next) {
            journal.requireHeld(staged); // a position that is not this journal's would pass over what is to come
        }
        databaseFails = false;
        trouble.remove(Work.APPLYING); // before the backlog shrinks: whoever sees the one sees the other
        applied = next;
        reached = Math.max(reached, next);
        progressAt = System.nanoTime();
        unsaved = true;
        batch.forEach(handed -> handed.applied().run());
    }

    private static Applied forStages(Admitted admitted) {
        Entry entry = admitted.entry();
        return new Applied(admitted.arrival(), entry.message(), entry.reversePath(), entry.recipients());
    }

    private void refreshAndSave(boolean now) {
        refresh(now);
        try {
            if (unsaved && (now || isOver(CHECKPOINT_NANOS, checkpointAt))) {
                checkpoint();
            }
        } catch (IOException | RuntimeException e) {
            checkpointAt = System.nanoTime() - CHECKPOINT_NANOS + REFRESH_NANOS; // again soon, and not at once
            noteTrouble(Work.SAVING, e);
        }
    }

    private void refresh(boolean now) {
        boolean failed = trouble.containsKey(Work.REFRESHING);
        try {
            if (unrefreshed && (now || !failed && isAwaited() || isOver(REFRESH_NANOS, refreshedAt))) {
                refreshStore();
            }
        } catch (IOException | RuntimeException e) {
            refreshedAt = System.nanoTime();
            noteTrouble(Work.REFRESHING, e);
        }
    }

    private static boolean isOver(long nanos, long since) {
        return System.nanoTime() - since > nanos;
    }

    /** Somebody waits, and would not have to wait longer. */
    private boolean isAwaited() {
        return awaited > visible && added >= awaited && isOver(AWAITED_NANOS, refreshedAt);
    }

    private void refreshStore() throws IOException {
        store.refresh();
        trouble.remove(Work.REFRESHING);
        unrefreshed = false;
        refreshedAt = System.nanoTime();
        lock.lock();
        try {
            visible = added;
            visibleOrInTrouble.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Lets the journal go only up to where the database is before and after it was synchronised: one that closes itself
     * in between is older afterwards, and what was read before it closed was in its memory alone.
     */
    private void checkpoint() throws IOException {
        store.commit();
        long before = stages.position(); // waits, by its lock, for a commit under way, which is then synchronised too
        stages.sync();
        long durable = Math.min(before, stages.position());
        journal.release(Math.min(store.position(), durable));
        trouble.remove(Work.SAVING);
        unsaved = false;
        checkpointAt = System.nanoTime();
    }
}
