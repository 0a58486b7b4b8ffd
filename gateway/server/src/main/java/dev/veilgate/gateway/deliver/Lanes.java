package dev.veilgate.gateway.deliver;

import dev.veilgate.transport.smtp.SmtpConnection;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One lane for each next hop, with a few workers, each with a connection over which it sends one mail after the other. So a hop that hangs holds
 * up nobody else; and one that cannot be reached is left alone for a while. When it answers, all goes that waited for that.
 */
final class Lanes {
    /** Mails that wait in a lane; the others wait in the database. */
    private static final int LANE_MAILS = 50;

    private static final Duration IDLE = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(Lanes.class);

    private final Courier courier;
    private final int parallel;
    /** For so long a hop that cannot be reached is left alone. */
    private final Duration rest;

    private final long hangNanos;
    private final Clock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Lane> lanes = new HashMap<>();
    private final Set<Worker> workers = new HashSet<>();
    private volatile boolean stopping;

    private static final class Lane {
        private final Hop hop;
        private final ArrayDeque<Due> waiting = new ArrayDeque<>();
        private final Set<String> domains = new HashSet<>();
        private Instant restsUntil = Instant.MIN;
        /** Whether mail may wait in the queue until the hop answers; also what waited before this lane was made. */
        private volatile boolean awaited = true;
        /** Connections that were made. */
        private int reached;

        private int workers;
        private int idle;

        Lane(Hop hop) {
            this.hop = hop;
        }
    }

    Lanes(Courier courier, DeliverSettings settings, Clock clock) {
        this.courier = courier;
        this.parallel = settings.parallel();
        this.rest = settings.retry().first();
        this.hangNanos = settings.timeout().multipliedBy(4).toNanos();
        this.clock = clock;
    }

    /** Domains for which nothing more can be taken now. */
    Collection<String> busy() {
        lock.lock();
        try {
            Instant now = clock.instant();
            lanes.values()
                    .removeIf(lane -> lane.workers == 0 && lane.waiting.isEmpty() && !now.isBefore(lane.restsUntil));
            List<String> busy = new ArrayList<>();
            for (Lane lane : lanes.values()) {
                if (lane.waiting.size() >= LANE_MAILS || now.isBefore(lane.restsUntil)) {
                    busy.addAll(lane.domains);
                }
            }
            return busy;
        } finally {
            lock.unlock();
        }
    }

    /** Puts a mail into its lane. */
    void put(Hop hop, Due due) {
        lock.lock();
        try {
            Lane lane = lanes.computeIfAbsent(hop.key(), key -> new Lane(hop));
            due.recipients().forEach(recipient -> lane.domains.add(recipient.domain()));
            lane.waiting.add(due);
            if (lane.waiting.size() > lane.idle && lane.workers < parallel && !stopping) {
                lane.workers++;
                Worker worker = new Worker(lane);
                workers.add(worker);
                Thread.ofVirtual().name("deliver-" + hop.key()).start(worker);
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Breaks connections on which nothing came to an end for long: writing knows no time-out. */
    void breakHanging() {
        lock.lock();
        try {
            workers.forEach(worker -> worker.breakIfHanging(System.nanoTime()));
        } finally {
            lock.unlock();
        }
    }

    /** Ends after the mails under way; breaks off what takes longer. */
    void stop(Duration patience) throws InterruptedException {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
            long left = patience.toNanos();
            while (!workers.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            workers.forEach(Worker::abort);
        } finally {
            lock.unlock();
        }
    }

    /** Connections over which a mail is being sent. */
    int sending() {
        lock.lock();
        try {
            return (int)
                    workers.stream().filter(worker -> worker.current != null).count();
        } finally {
            lock.unlock();
        }
    }

    /** Mails that are in some lane or on their way. */
    Set<UUID> inHand() {
        lock.lock();
        try {
            Set<UUID> mails = new HashSet<>();
            lanes.values().forEach(lane -> lane.waiting.forEach(due -> mails.add(due.mail())));
            workers.stream()
                    .map(worker -> worker.current)
                    .filter(Objects::nonNull)
                    .forEach(due -> mails.add(due.mail()));
            return mails;
        } finally {
            lock.unlock();
        }
    }

    private final class Worker implements Runnable {
        private final Lane lane;
        private volatile @Nullable SmtpConnection connection;
        private volatile @Nullable Due current;
        private volatile long since = System.nanoTime();
        private boolean gone;

        Worker(Lane lane) {
            this.lane = lane;
        }

        @Override
        public void run() {
            try {
                for (Due due = next(); due != null; due = next()) {
                    since = System.nanoTime();
                    deliver(due);
                }
                SmtpConnection open = connection;
                if (open != null && open.isUsable() && !stopping) {
                    reached(); // another worker may have failed to connect since
                }
            } catch (RuntimeException e) {
                LOG.error("deliveries to {} stop for now after a bug: {}", lane.hop.key(), Courier.bug(e));
            } finally {
                leave();
                hangUp();
            }
        }

        private void countReached() {
            lock.lock();
            try {
                lane.reached++;
            } finally {
                lock.unlock();
            }
        }

        /** The hop answers. */
        private void reached() {
            if (!lane.awaited) {
                return;
            }
            lane.awaited = false; // before: what comes to wait meanwhile asks for another time
            lock.lock();
            try {
                lane.restsUntil = Instant.MIN;
            } finally {
                lock.unlock();
            }
            courier.reached(lane.hop);
        }

        /** The next mail; null to end. Who ends is no longer counted, so that a mail that comes now gets another worker. */
        private @Nullable Due next() {
            lock.lock();
            try {
                current = null;
                long wait = connection == null ? 0 : IDLE.toNanos();
                while (!stopping) {
                    current = lane.waiting.poll();
                    if (current != null) {
                        return current;
                    }
                    if (wait <= 0) {
                        break;
                    }
                    lane.idle++;
                    try {
                        wait = changed.awaitNanos(wait);
                    } finally {
                        lane.idle--;
                    }
                }
                leave();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                lock.unlock();
            }
            return null;
        }

        private void deliver(Due due) {
            SmtpConnection open = connection;
            try {
                if (open == null || !open.isUsable()) {
                    hangUp();
                    open = courier.connect(lane.hop);
                    connection = open;
                    countReached();
                }
            } catch (UnroutableException e) {
                courier.settle(due, e.reply());
                return;
            } catch (IOException e) {
                LOG.warn("no connection to {}: {}", lane.hop.key(), SmtpConnection.reason(e));
                unreachable(due);
                return;
            }
            reached();
            if (courier.send(due, open, lane.hop)) {
                lane.awaited = true;
            }
        }

        /** All that waits in the lane waits longer; but where another worker has a connection, that one goes on with it. */
        private void unreachable(Due due) {
            List<Due> all = new ArrayList<>();
            int before;
            lock.lock();
            try {
                before = lane.reached;
                boolean served = workers.stream().anyMatch(other -> other.lane == lane && other.connection != null);
                if (served) {
                    lane.waiting.addFirst(due);
                    changed.signalAll();
                    leave();
                } else {
                    all.add(due);
                    all.addAll(lane.waiting);
                    lane.waiting.clear();
                    lane.restsUntil = clock.instant().plus(rest);
                    lane.awaited = true;
                }
            } finally {
                lock.unlock();
            }
            if (all.isEmpty()) {
                return;
            }
            all.forEach(each -> courier.unreachable(each, lane.hop, each == due));
            lane.awaited = true;
            if (wasReachedSince(before)) {
                reached(); // whoever did may be gone already
            }
        }

        private boolean wasReachedSince(int before) {
            lock.lock();
            try {
                return lane.reached != before;
            } finally {
                lock.unlock();
            }
        }

        void breakIfHanging(long now) {
            if (current != null && now - since > hangNanos) {
                abort();
            }
        }

        void abort() {
            SmtpConnection open = connection;
            if (open != null) {
                open.abort();
            }
        }

        private void hangUp() {
            SmtpConnection open = connection;
            connection = null;
            if (open != null) {
                open.close();
            }
        }

        private void leave() {
            lock.lock();
            try {
                if (!gone) {
                    gone = true;
                    lane.workers--;
                    workers.remove(this);
                    changed.signalAll();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
