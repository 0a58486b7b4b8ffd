package dev.veilgate.gateway.broker;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the steps of a broker's start, for as long as they take: a large store or a slow disk is no damage. What
 * a step waits for is said now and then. One that waits for stores that nobody
 * opens any more ({@link StartingThreads}) has failed, and so has one that is to be stopped.
 */
final class Patience {
    private static final long LOOK_MILLIS = 200;
    private static final long THREADS_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SAID_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Number of looks one after another that say the same: a thread may be between two tasks in one. */
    private static final int STUCK_LOOKS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

    private final DiskRoom disk;
    private final StartingThreads threads;
    private final Consumer<String> progress;
    private final long began = System.nanoTime();
    private boolean sawShortage;

    /** @param progress is told now and then what is waited for */
    Patience(DiskRoom disk, StartingThreads threads, Consumer<String> progress) {
        this.disk = disk;
        this.threads = threads;
        this.progress = progress;
    }

    /** A start that ended without an end: it waits for stores that it could not open. */
    static final class StuckException extends Exception {
        private static final long serialVersionUID = 1L;

        StuckException(String message) {
            super(message);
        }
    }

    /** Whether room was missing at some time. */
    boolean sawShortage() {
        return sawShortage;
    }

    /** @throws StuckException if it never ends, or is to be stopped */
    void await(Future<?> step) throws InterruptedException, ExecutionException, StuckException {
        long looked = System.nanoTime();
        long said = began;
        int stuck = 0;
        while (true) {
            try {
                step.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                sawShortage |= disk.look();
                if (disk.isClosed()) {
                    throw new StuckException("it was stopped while it started");
                }
            }
            long now = System.nanoTime();
            if (now - looked < THREADS_NANOS) {
                continue;
            }
            looked = now;
            StartingThreads.Work work = threads.look();
            stuck = work.isStuck() && !disk.isShort() ? stuck + 1 : 0;
            if (stuck >= STUCK_LOOKS) {
                throw new StuckException("it could not open all of its stores, and waits for them without an end");
            }
            String text = "starting for " + Duration.ofNanos(now - began).toSeconds() + " s, waits for " + work.text();
            progress.accept(text);
            if (now - said >= SAID_NANOS) {
                said = now;
                LOG.info("MQTT: the embedded broker is {}", text);
            }
        }
    }
}
