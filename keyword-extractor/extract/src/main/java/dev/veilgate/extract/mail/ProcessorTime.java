package dev.veilgate.extract.mail;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.TimeUnit;

/**
 * What a thread may spend on one extraction, by its processor time: a machine that is busy with other things takes
 * nothing of it away. Asked again and again by what reads, since a thread cannot be ended from outside. Where that
 * time cannot be measured, in virtual threads, the time of the wall is taken.
 */
final class ProcessorTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final boolean measured;
    private final long begin;
    private final long end;

    /** The time is over; what was found so far stands. */
    static final class OverException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OverException() {
            super("the processor time of an extraction is over", null, false, false);
        }
    }

    /** @param millis from now on, of this thread */
    ProcessorTime(int millis) {
        this.measured = !Thread.currentThread().isVirtual() && THREADS.isCurrentThreadCpuTimeSupported();
        this.begin = now();
        this.end = begin + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private long now() {
        return measured ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
    }

    /** Time that was used so far; to be called by the thread that made this. */
    long usedNanos() {
        return now() - begin;
    }

    /** @throws OverException if the time is over; to be called by the thread that made this */
    void check() {
        if (now() - end > 0) {
            throw new OverException();
        }
    }
}
