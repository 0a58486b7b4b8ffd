package dev.veilgate.gateway.deliver;

import dev.veilgate.application.command.StopWaits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/** Takes mails whose time has come out of the queue and puts them into the lanes of their next hops. */
final class Dispatcher implements SmartLifecycle, StopWaits {
    /** Before ingestion, which fills the queue, and after it at the end. */
    static final int PHASE = -100;

    private static final int BATCH = 100;
    private static final int MAX_IN_HAND = 500;
    private static final Duration SWEEP = Duration.ofHours(1);
    /** Of the ten seconds that a stop may take in all. */
    private static final Duration STOP = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

    private final StoredQueue queue;
    private final Hop.Table hops;
    private final Courier courier;
    private final Lanes lanes;
    private final Duration poll;
    private final Duration lease;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition woken = lock.newCondition();
    private boolean wake;
    private volatile boolean running;
    private volatile boolean working;
    private @Nullable Thread thread;
    private Instant renewed = Instant.MIN;
    private Instant swept = Instant.MIN;

    Dispatcher(StoredQueue queue, Hop.Table hops, Courier courier, Lanes lanes, DeliverSettings settings, Clock clock) {
        this.queue = queue;
        this.hops = hops;
        this.courier = courier;
        this.lanes = lanes;
        this.poll = settings.poll();
        this.lease = settings.lease();
        this.clock = clock;
    }

    @Override
    public void start() {
        running = true;
        queue.onAdded(this::wake);
        thread = Thread.ofPlatform().name("outbound").start(this::run);
    }

    private void wake() {
        lock.lock();
        try {
            wake = true;
            woken.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        boolean released = false;
        while (running) {
            boolean more = false;
            try {
                if (!released) {
                    queue.releaseAll();
                    released = true;
                }
                more = dispatch();
                working = true;
            } catch (DataAccessException | TransactionException e) {
                working = false;
                LOG.warn("the outbound queue does not answer ({})", e.getClass().getSimpleName());
            } catch (RuntimeException e) {
                working = false;
                LOG.error("dispatching outbound mail failed; it goes on: {}", Courier.bug(e));
            }
            if (!more && !await()) {
                return;
            }
        }
    }

    /** One round; whether there may be more at once. */
    private boolean dispatch() {
        Instant now = clock.instant();
        if (!now.isBefore(renewed.plus(lease.dividedBy(4)))) {
            queue.renew(lanes.inHand());
            renewed = now;
        }
        if (!now.isBefore(swept.plus(SWEEP))) {
            queue.forgetUnaddressed();
            swept = now;
        }
        lanes.breakHanging();
        if (lanes.inHand().size() >= MAX_IN_HAND) {
            return false;
        }
        List<Due> claimed = queue.claim(BATCH, lanes.busy());
        claimed.forEach(this::spread);
        return claimed.size() > 0;
    }

    /** A mail to several next hops goes to each of them. */
    private void spread(Due due) {
        Map<String, List<Due.Recipient>> byHop = new LinkedHashMap<>();
        Map<String, Hop> found = new LinkedHashMap<>(); // with the same keys
        for (Due.Recipient recipient : due.recipients()) {
            Hop hop = hops.of(recipient.domain());
            found.put(hop.key(), hop);
            byHop.computeIfAbsent(hop.key(), key -> new ArrayList<>()).add(recipient);
        }
        byHop.forEach((key, recipients) ->
                lanes.put(Objects.requireNonNull(found.get(key)), new Due(due.mail(), recipients)));
    }

    private boolean await() {
        lock.lock();
        try {
            if (!wake && running) {
                woken.await(poll.toMillis(), TimeUnit.MILLISECONDS);
            }
            wake = false;
            return true;
        } catch (InterruptedException e) {
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the queue answered last time, and somebody looks at it. */
    boolean isWorking() {
        Thread alive = thread;
        return working && alive != null && alive.isAlive();
    }

    @Override
    public void stop() {
        running = false;
        courier.stop();
        wake();
        try {
            Thread started = thread;
            if (started != null) {
                started.join();
            }
            lanes.stop(STOP);
            queue.releaseAll();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DataAccessException e) {
            LOG.warn("the outbound queue does not answer; others get its mails when the lease ends");
        }
        working = false;
    }

    @Override
    public String stopWaitsFor() {
        int under = lanes.sending();
        return under == 0 ? "" : "mails on their way to other servers: " + under;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
