package dev.veilgate.console.logsink;

import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.logsink.SinkPosition.Mark;
import dev.veilgate.console.logsink.SinkPosition.Place;
import dev.veilgate.console.logsink.SinkState.Activity;
import dev.veilgate.console.logsink.SinkState.Failure;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.transport.Backoff;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

/**
 * Sender of the issuing log to a receiver, entry by entry in their order, in batches that are acknowledged one after
 * the other. The position is durable and moves behind the acknowledgement alone; a batch is fixed before it is sent, so
 * that one whose fate is unknown is repeated as it was. One thread sends; the rest is safe for use by several.
 *
 * <p>Sends only while this console has the log open, which no other console on the same folder can have.
 */
final class LogSink implements AutoCloseable {
    static final int MAX_ENTRIES = 2000;
    /** A batch ends behind the entry with which it has so many bytes. */
    static final int ENOUGH_BYTES = 1 << 20;

    /** Pauses between attempts of a console. */
    static final Backoff BACKOFF = Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(5), Backoff.Spread.HALF);

    private static final Logger LOG = LoggerFactory.getLogger(LogSink.class);
    private static final Duration LOOKS = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    private static final Duration SAID_AGAIN = Duration.ofHours(1);
    private static final Duration TO_STOP = Duration.ofSeconds(2);
    private static final int MAX_REASON = 500;

    private final SinkSource source;
    private final SinkPosition position;
    private final Delivery delivery;
    private final Backoff backoff;
    private final Clock clock;
    private final String receiver;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private volatile SinkState state = SinkState.BEGINNING;
    private @Nullable Place place;
    /** Entry at the place. */
    private Mark last = Mark.NONE;

    private int failures;
    private @Nullable Instant said;

    /** @param receiver as people call it, without secrets */
    LogSink(
            SinkSource source,
            SinkPosition position,
            Delivery delivery,
            Backoff backoff,
            Clock clock,
            String receiver) {
        this.source = source;
        this.position = position;
        this.delivery = delivery;
        this.backoff = backoff;
        this.clock = clock;
        this.receiver = receiver;
        this.thread = Thread.ofPlatform().daemon().name("log-sink").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    SinkState state() {
        return state;
    }

    String receiver() {
        return receiver;
    }

    /** Entries of the issuing log that the receiver does not have yet; empty as long as the keys are locked. */
    Optional<Long> waiting() {
        return source.size().map(size -> Math.max(0, size - state.sent()));
    }

    private void run() {
        try {
            Duration pause;
            do {
                pause = stepOrSay();
            } while (!stopping.await(pause.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A sender that ends must not do so in silence, whatever was wrong. */
    private Duration stepOrSay() throws InterruptedException {
        try {
            return step();
        } catch (Error e) {
            LOG.error("the issuing log's sender failed, and goes on", e);
            return failed(new IllegalStateException("an error of the console: " + e, e));
        }
    }

    /** Sends a batch if there is one; how long to wait for the next. */
    Duration step() throws InterruptedException {
        try {
            Optional<Long> size = source.size();
            if (size.isEmpty()) {
                return locked();
            }
            Place now = present(size.get());
            if (size.get() == now.number()) {
                state = state.with(Activity.IDLE);
                return LOOKS;
            }
            state = state.with(Activity.SENDING);
            send(now, size.get());
            return Duration.ZERO;
        } catch (ProblemException e) {
            if (e.status() == HttpStatus.LOCKED) {
                return locked();
            }
            return failed(e);
        } catch (IOException | RuntimeException e) {
            if (source.size().isEmpty()) {
                return locked(); // meanwhile
            }
            return failed(e);
        }
    }

    private Duration locked() {
        place = null; // the log may be another when it is opened
        state = state.with(Activity.LOCKED);
        return LOOKS;
    }

    private void send(Place now, long size) throws IOException, InterruptedException {
        Batch batch = batch(now, size);
        Place begun = new Place(now.number(), batch.last().number(), now.secret());
        if (begun.sending() != now.sending()) {
            position.begin(now, begun.sending());
            place = begun;
        }
        try {
            delivery.send(batch);
        } catch (Delivery.RefusedException e) {
            long half = now.number() + batch.entries().size() / 2;
            if (!e.isTooLarge() || half == now.number()) {
                throw e;
            }
            position.begin(begun, half); // nothing of it was taken, so that it may be another
            place = new Place(now.number(), half, now.secret());
            return;
        }
        position.advance(begun, batch.last());
        place = new Place(begun.sending(), begun.sending(), now.secret());
        last = batch.last();
        succeeded(begun.sending());
    }

    /** The position, which is compared with the log before each batch. */
    private Place present(long size) throws IOException {
        Place now = place;
        if (now != null && (size == now.number() || size > now.number() && isOfLog(last, size))) {
            return now;
        }
        now = position.read();
        List<Mark> marks = new ArrayList<>(position.marks());
        marks.add(Mark.NONE);
        Mark highest = marks.getFirst();
        Mark common = highest;
        for (Mark mark : marks) {
            common = mark;
            if (isOfLog(mark, size)) {
                break;
            }
        }
        if (!common.equals(highest) || now.sending() > size) {
            putBack(now, Math.max(highest.number(), now.sending()), common);
            now = position.read();
        }
        place = now;
        last = common;
        state = state.at(now.number());
        return now;
    }

    private boolean isOfLog(Mark mark, long size) throws IOException {
        if (mark.number() == 0) {
            return true;
        }
        if (mark.number() > size) {
            return false;
        }
        Optional<LogEntry> entry = source.entry(mark.number());
        return entry.isPresent() && EntryFields.digest(entry.get()).equals(mark.digest());
    }

    private void putBack(Place now, long from, Mark to) {
        LOG.warn(
                "the issuing log was put back: {} may have entries up to {} that it does not have any more; what is"
                        + " behind entry {} is sent",
                receiver,
                from,
                to.number());
        position.putBack(now, to);
        state = state.putBack(clock.instant(), from, to.number());
    }

    /** The batch that is begun, or the next one. */
    private Batch batch(Place now, long size) throws IOException {
        boolean isBegun = now.sending() > now.number();
        long end = isBegun ? now.sending() : Math.min(size, now.number() + MAX_ENTRIES);
        String tenant = source.tenant();
        List<byte[]> entries = new ArrayList<>();
        LogEntry newest = null;
        long bytes = 0;
        for (long number = now.number() + 1; number <= end && (isBegun || bytes < ENOUGH_BYTES); number++) {
            long wanted = number;
            newest = source.entry(number)
                    .orElseThrow(() -> new IOException("the issuing log has no entry " + wanted + " any more"));
            byte[] entry = delivery.form().encode(tenant, newest, now.secret());
            entries.add(entry);
            bytes += entry.length;
        }
        if (newest == null) {
            throw new IllegalStateException("a batch has an entry");
        }
        return new Batch(
                now.number() + 1,
                entries,
                new Mark(newest.number(), EntryFields.digest(newest)),
                EntryFields.mark(newest, now.secret()));
    }

    private void succeeded(long number) {
        Failure before = state.failure();
        if (before != null) {
            LOG.info("the issuing log reaches {} again, up to entry {}", receiver, number);
        }
        failures = 0;
        said = null;
        state = state.acknowledged(number);
    }

    private Duration failed(Exception e) {
        place = null; // what is in the database is what counts
        failures++;
        Instant now = clock.instant();
        if (stopping.getCount() == 0) {
            return Duration.ZERO;
        }
        String reason = reason(e);
        state = state.failing(now, reason);
        if (said == null || !now.isBefore(said.plus(SAID_AGAIN))) {
            said = now;
            LOG.warn("the issuing log does not reach {}: {}; nothing is lost, it is tried again", receiver, reason);
        }
        Duration pause = backoff.pause(failures);
        if (e instanceof Delivery.RefusedException refused) {
            Duration asked = refused.after().orElse(Duration.ZERO);
            Duration longest = asked.compareTo(LONGEST_PAUSE) < 0 ? asked : LONGEST_PAUSE;
            return pause.compareTo(longest) < 0 ? longest : pause;
        }
        return pause;
    }

    private static String reason(Exception e) {
        String message = e.getMessage();
        String reason = message == null ? e.getClass().getSimpleName() : message;
        return reason.substring(0, Math.min(reason.length(), MAX_REASON));
    }

    /** Stops sending, without waiting for the receiver: what is not acknowledged is sent after the next start. */
    @Override
    public void close() {
        stopping.countDown();
        delivery.close();
        try {
            if (thread.isAlive() && !thread.join(TO_STOP)) {
                LOG.warn("the issuing log's sender does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
