package dev.veilgate.gateway.broker;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for the steps of a broker's start. One that takes too long with room on the disk hangs. While room is missing no time counts; a broker that has not gone on by itself
 * {@value #AFTER_SHORTAGE_SECONDS} seconds after there is room again hangs too, and so does one that is to be stopped while room is missing.
 */
final class Patience {
    private static final int AFTER_SHORTAGE_SECONDS = 10;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final DiskRoom disk;
    private final Duration limit;
    private boolean sawShortage;

    /** @param limit for each step, with room */
    Patience(DiskRoom disk, Duration limit) {
        this.disk = disk;
        this.limit = limit;
    }

    /** Whether room was missing at some time. */
    boolean sawShortage() {
        return sawShortage;
    }

    /** @throws TimeoutException if it hangs */
    void await(Future<?> step) throws InterruptedException, ExecutionException, TimeoutException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                step.get(LOOK_NANOS, TimeUnit.NANOSECONDS);
                return;
            } catch (TimeoutException e) {
                long now = System.nanoTime();
                if (disk.look()) {
                    sawShortage = true;
                    if (disk.isClosed()) {
                        throw e;
                    }
                    end = now + Math.min(limit.toNanos(), TimeUnit.SECONDS.toNanos(AFTER_SHORTAGE_SECONDS));
                } else if (now - end > 0) {
                    throw e;
                }
            }
        }
    }
}
