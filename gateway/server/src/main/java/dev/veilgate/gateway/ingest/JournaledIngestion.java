package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.journal.Journal;
import dev.veilgate.gateway.memory.HeapTurns;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Ingestion through the journal. One thread writes: it takes all that waits, appends and synchronises once, completes the futures, and hands the entries to the
 * {@link Applier}. Memory is bounded by permits, one a byte, that an entry holds until it is applied; a large mail has, from its check on, a turn beside ({@link HeapTurns}).
 */
final class JournaledIngestion implements Ingestion {
    private static final Logger LOG = LoggerFactory.getLogger(JournaledIngestion.class);

    /** Bytes of entries between submission and application. */
    private static final int MAX_BYTES_IN_FLIGHT = 128 << 20;

    private static final int MAX_GROUP_BYTES = 32 << 20;
    private static final long ROOM_WAIT_SECONDS = 10;

    /** An id that a sender used: nobody else's use of it counts. */
    private record Key(String tenant, String sender, UUID id) {
        static Key of(Envelope envelope) {
            return new Key(envelope.tenant(), envelope.sender(), envelope.id());
        }
    }

    private record InFlight(EnvelopeName name, CompletableFuture<Receipt> durable) {}

    /** @param turn until it is applied or refused */
    private record Waiting(Admitted admitted, byte[] payload, HeapTurns.Turn turn, CompletableFuture<Receipt> future) {}

    private final Admission admission;
    private final Journal journal;
    private final EnvelopeStore store;
    private final DeletedEnvelopes deleted;
    private final Applier applier;
    private final Room room;
    private final HeapTurns turns;
    private final Clock clock;
    private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();
    private final Semaphore bytesInFlight = new Semaphore(MAX_BYTES_IN_FLIGHT, true);
    private final ConcurrentMap<Key, InFlight> inFlight = new ConcurrentHashMap<>();
    private final IngestCounters counters;
    private final Thread writer = Thread.ofPlatform().name("journal").unstarted(this::write);
    private volatile boolean open;

    JournaledIngestion(
            Admission admission,
            Journal journal,
            EnvelopeStore store,
            DeletedEnvelopes deleted,
            Applier applier,
            Room room,
            HeapTurns turns,
            Clock clock,
            IngestCounters counters) {
        this.admission = admission;
        this.journal = journal;
        this.store = store;
        this.deleted = deleted;
        this.applier = applier;
        this.room = room;
        this.turns = turns;
        this.clock = clock;
        this.counters = counters;
    }

    void start() {
        open = true;
        writer.start();
    }

    /** Takes nothing more; what was submitted becomes durable first. */
    void stop() throws InterruptedException {
        open = false;
        writer.join();
    }

    @Override
    public CompletableFuture<Receipt> submit(Submission submission) {
        try {
            return counters.taken(submission, submitChecked(submission));
        } catch (RefusedException e) {
            counters.refused(submission, e.refusal());
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Receipt> submitChecked(Submission submission) throws RefusedException {
        if (!open) {
            throw stopping();
        }
        room.require();
        return switch (submission) {
            case Submission.OfMail mail -> submitMail(mail);
            case Submission.OfEnvelope envelope -> submitEnvelope(admission.admit(envelope));
        };
    }

    private CompletableFuture<Receipt> submitMail(Submission.OfMail mail) throws RefusedException {
        HeapTurns.Turn turn = turn(mail.message().length);
        boolean queued = false;
        try {
            CompletableFuture<Receipt> future = enqueue(admission.admit(mail), turn);
            queued = true;
            return future;
        } finally {
            if (!queued) {
                turn.close();
            }
        }
    }

    private HeapTurns.Turn turn(int bytes) throws RefusedException {
        try {
            return turns.take(bytes)
                    .orElseThrow(() -> new RefusedException(
                            Refusal.UNAVAILABLE, "too many large mails at the moment; try again later"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopping();
        }
    }

    private CompletableFuture<Receipt> submitEnvelope(Admitted admitted) throws RefusedException {
        Envelope envelope = admitted.arrival().orElseThrow().envelope();
        Key key = Key.of(envelope);
        InFlight own = new InFlight(EnvelopeName.of(envelope), new CompletableFuture<>());
        InFlight other = inFlight.putIfAbsent(key, own);
        if (other != null) {
            requireSame(List.of(other.name), own.name);
            return other.durable.thenApply(receipt -> new Receipt(receipt.envelope(), true));
        }
        boolean queued = false;
        try {
            List<EnvelopeName> stored = stored(key, envelope.sealed());
            if (!stored.isEmpty()) {
                requireSame(stored, own.name);
                own.durable.complete(new Receipt(Optional.of(key.id), true));
                return own.durable;
            }
            CompletableFuture<Receipt> future = enqueue(admitted, HeapTurns.Turn.NONE);
            queued = true;
            future.whenComplete((receipt, failure) -> {
                if (failure != null) {
                    inFlight.remove(key, own);
                    own.durable.completeExceptionally(failure);
                } else {
                    own.durable.complete(receipt);
                }
            });
            return future;
        } catch (RefusedException e) {
            own.durable.completeExceptionally(e);
            throw e;
        } finally {
            if (!queued) {
                inFlight.remove(key, own);
            }
        }
    }

    private static void requireSame(List<EnvelopeName> known, EnvelopeName own) throws RefusedException {
        if (!known.contains(own)) {
            throw new RefusedException(
                    Refusal.CONFLICT, "another envelope of this sender with this id is stored already");
        }
    }

    /** What the sender signed with this id and is stored, or was until retention deleted it. */
    private List<EnvelopeName> stored(Key key, Instant sealed) throws RefusedException {
        try {
            List<EnvelopeName> stored = store.signed(key.tenant, key.sender, key.id);
            boolean mayBeDeleted =
                    stored.isEmpty() && sealed.isBefore(clock.instant().minus(DeletedEnvelopes.MIN_AGE));
            return mayBeDeleted ? deleted.signed(key.tenant, key.sender, key.id) : stored;
        } catch (IOException | DataAccessException e) {
            LOG.warn("store or database does not say whether an envelope is there", e);
            throw new RefusedException(Refusal.UNAVAILABLE, "the store does not answer; try again later");
        }
    }

    private CompletableFuture<Receipt> enqueue(Admitted admitted, HeapTurns.Turn turn) throws RefusedException {
        byte[] payload = admitted.entry().encode();
        if (payload.length > MAX_BYTES_IN_FLIGHT) {
            throw new RefusedException(Refusal.TOO_LARGE, "a message is too large for the journal");
        }
        try {
            if (!open || !bytesInFlight.tryAcquire(payload.length, ROOM_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new RefusedException(
                        Refusal.UNAVAILABLE, open ? "too busy; try again later" : "stopping; try again later");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stopping();
        }
        Waiting waiting = new Waiting(admitted, payload, turn, new CompletableFuture<>());
        queue.add(waiting);
        if (!writer.isAlive() && queue.remove(waiting)) { // it ended between the check and the add
            bytesInFlight.release(payload.length);
            throw stopping();
        }
        return waiting.future;
    }

    private static RefusedException stopping() {
        return new RefusedException(Refusal.UNAVAILABLE, "stopping; try again later");
    }

    private void write() {
        List<Waiting> group = new ArrayList<>();
        while (open || !queue.isEmpty()) {
            try {
                take(group);
                if (!group.isEmpty()) {
                    append(group);
                }
            } catch (InterruptedException e) {
                open = false;
            } catch (RuntimeException e) {
                LOG.error("writing the journal failed", e);
                group.forEach(waiting -> refuse(waiting, Refusal.UNAVAILABLE, "internal error; try again later"));
            }
            group.clear();
        }
    }

    private void take(List<Waiting> group) throws InterruptedException {
        Waiting first = queue.poll(100, TimeUnit.MILLISECONDS);
        int bytes = 0;
        for (Waiting next = first; next != null; next = bytes < MAX_GROUP_BYTES ? queue.poll() : null) {
            group.add(next);
            bytes += next.payload.length;
        }
    }

    private void append(List<Waiting> group) throws InterruptedException {
        List<Long> ends;
        try {
            ends = journal.append(group.stream().map(Waiting::payload).toList());
        } catch (IOException e) {
            LOG.error("the journal could not be written; {} submissions are refused for now", group.size(), e);
            boolean full = room.isShort();
            for (Waiting waiting : group) {
                refuse(
                        waiting,
                        full ? Refusal.STORAGE_FULL : Refusal.UNAVAILABLE,
                        full ? "the disk is full; try again later" : "the disk does not take it; try again later");
            }
            return;
        }
        for (int i = 0; i < group.size(); i++) {
            Waiting waiting = group.get(i);
            Optional<UUID> id =
                    waiting.admitted.arrival().map(arrival -> arrival.envelope().id());
            applier.hand(new Applier.Handed(waiting.admitted, waiting.payload, ends.get(i), () -> applied(waiting)));
            waiting.future.complete(new Receipt(id, false));
        }
    }

    private void refuse(Waiting waiting, Refusal refusal, String why) {
        release(waiting);
        waiting.future.completeExceptionally(new RefusedException(refusal, why));
    }

    private void release(Waiting waiting) {
        bytesInFlight.release(waiting.payload.length);
        waiting.turn.close();
    }

    /** The store answers for it now, unless it was set aside. */
    private void applied(Waiting waiting) {
        release(waiting);
        waiting.admitted.arrival().map(Arrival::envelope).ifPresent(envelope -> {
            EnvelopeName name = EnvelopeName.of(envelope); // a mail may have another's id
            inFlight.computeIfPresent(Key.of(envelope), (key, flying) -> flying.name.equals(name) ? null : flying);
        });
    }
}
