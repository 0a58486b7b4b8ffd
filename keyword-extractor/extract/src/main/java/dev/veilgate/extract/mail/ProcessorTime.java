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
    private long endOfPart = Long.MAX_VALUE;

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

    /**
     * Processor time that was used so far; 0 where that cannot be measured. To be called by the thread that made this.
     */
    long processorNanos() {
        return measured ? usedNanos() : 0;
    }

    /** Time that was used so far; to be called by the thread that made this. */
    long usedNanos() {
        return now() - begin;
    }

    /** @throws OverException if the time is over; to be called by the thread that made this */
    void check() {
        long now = now();
        if (now - end > 0 || now > endOfPart) {
            throw new OverException();
        }
    }

    /**
     * Does something that has less time; to be called by the thread that made this. Where processor time cannot be
     * measured it has as much as the rest.
     *
     * @param nanos from now on
     * @return false if it was broken off, as its time was over
     * @throws OverException if the time of all is over
     */
    boolean within(long nanos, Runnable part) {
        endOfPart = measured ? now() + Math.clamp(nanos, 0, end - begin) : Long.MAX_VALUE;
        try {
            part.run();
            return true;
        } catch (OverException e) {
            endOfPart = Long.MAX_VALUE;
            check();
            return false;
        } finally {
            endOfPart = Long.MAX_VALUE;
        }
    }
}
