package dev.veilgate.gateway.memory;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Turns at the part of the heap in which large mails are checked and written, first come, first served. A mail of
 * {@link #LARGE_BYTES} or less takes none: it never waits behind large ones. Safe for use by several threads.
 */
public final class HeapTurns {
    /** Up to so many bytes a mail needs no turn. */
    public static final int LARGE_BYTES = 1 << 20;

    /** Bytes of the heap that are taken to be in use without mail. */
    public static final long BESIDE_MAILS = 128L << 20;

    private static final long LEAST_ROOM = 48L << 20;

    /** Copies of a mail at the same time, beside the one that came: what is taken out of it, written, and kept. */
    private static final int COPIES = 3;

    /** Most bytes of all turns: of 128 MB of mail on their way to the store, large ones leave 32 to others. */
    private static final long MOST = COPIES * (96L << 20);

    private static final Duration LASTING = Duration.ofMinutes(10);

    private final int total;
    private final Duration patience;
    private final Clock clock;
    private final Semaphore free;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicLong refused = new AtomicLong();
    private volatile Instant lastRefused = Instant.MIN;

    /** Somebody who waits; each is another one. */
    private static final class Waiting {
        private final Instant since;

        Waiting(Instant since) {
            this.since = since;
        }
    }

    /** A turn that somebody has. */
    public interface Turn extends AutoCloseable {
        /** A turn that takes nothing, for what is small. */
        Turn NONE = () -> {};

        /** Ends it; only the first call does. */
        @Override
        void close();
    }

    /**
     * Turns of so many bytes together.
     *
     * @param patience how long somebody waits for a turn at most
     */
    public HeapTurns(long total, Duration patience, Clock clock) {
        this.total = (int) Math.clamp(total, 1, MOST);
        this.patience = patience;
        this.clock = clock;
        this.free = new Semaphore(this.total, true);
    }

    /** Half of what a heap has for mails. */
    public static long of(long heap) {
        return room(heap) / 2;
    }

    /** Bytes of a heap that mails may take, those that come in and those that are worked on. */
    public static long room(long heap) {
        return Math.max(LEAST_ROOM, heap - BESIDE_MAILS);
    }

    /**
     * Waits for a turn. A mail for which even all of it is too little takes all of it, and so is worked on alone.
     *
     * @param bytes of the mail
     * @return empty if the wait was too long
     */
    public Optional<Turn> take(int bytes) throws InterruptedException {
        if (bytes <= LARGE_BYTES) {
            return Optional.of(Turn.NONE);
        }
        int needed = (int) Math.min((long) COPIES * bytes, total);
        Waiting wait = new Waiting(clock.instant());
        waiting.add(wait);
        try {
            if (!free.tryAcquire(needed, patience.toNanos(), TimeUnit.NANOSECONDS)) {
                lastRefused = clock.instant();
                refused.incrementAndGet();
                return Optional.empty();
            }
        } finally {
            waiting.remove(wait);
        }
        AtomicBoolean ended = new AtomicBoolean();
        return Optional.of(() -> {
            if (!ended.getAndSet(true)) {
                free.release(needed);
            }
        });
    }

    /** Mails that wait for a turn. */
    public int waiting() {
        return free.getQueueLength();
    }

    /** Bytes that are taken now. */
    public long taken() {
        return (long) total - free.availablePermits();
    }

    /** Mails that waited in vain. */
    public long refused() {
        return refused.get();
    }

    /** Trouble that lasts, for people: a mail waits for half of what it may, or one waited in vain of late. */
    Optional<String> trouble() {
        Instant now = clock.instant();
        Instant longAgo = now.minus(patience.dividedBy(2));
        long lasting =
                waiting.stream().filter(each -> each.since.isBefore(longAgo)).count();
        boolean isRefusing = lastRefused.isAfter(now.minus(LASTING));
        if (lasting == 0 && !isRefusing) {
            return Optional.empty();
        }
        return Optional.of(lasting + " large mails wait for memory for long, and " + refused
                + " were put off since the start, the last one " + (isRefusing ? "at " + lastRefused : "long ago")
                + ": give Java more memory (-Xmx)");
    }
}
