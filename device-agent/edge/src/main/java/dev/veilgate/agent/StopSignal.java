package dev.veilgate.agent;

import java.util.concurrent.TimeUnit;

/** That the agent is to stop, and until when it may finish its work. */
final class StopSignal {
    private boolean requested;
    private long deadlineNanos;

    /** Asks to stop within a time. */
    synchronized void request(long graceMillis) {
        if (!requested) {
            requested = true;
            deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(graceMillis);
        }
        notifyAll();
    }

    synchronized boolean isRequested() {
        return requested;
    }

    /** Milliseconds that are left; Long.MAX_VALUE if nobody asked to stop. */
    synchronized long leftMillis() {
        return requested
                ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime()))
                : Long.MAX_VALUE;
    }

    /** Waits, or less if a stop is asked for. */
    synchronized void idle(long millis) throws InterruptedException {
        if (!requested && millis > 0) {
            wait(millis);
        }
    }

    /**
     * Waits for something without which nothing goes on.
     *
     * @throws InterruptedException if the time to finish is over
     */
    synchronized void pause(long millis) throws InterruptedException {
        if (leftMillis() == 0) {
            throw new InterruptedException("stopped");
        }
        wait(Math.min(millis, Math.max(1, leftMillis())));
    }
}
