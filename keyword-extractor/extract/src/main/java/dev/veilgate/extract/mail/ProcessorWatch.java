package dev.veilgate.extract.mail;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Kills a process that uses more processor time than it may, or none at all where it is waited for. What a busy
 * machine does meanwhile does not count.
 *
 * <p>The system counts processor time in hundredths of a second, and is asked every {@value #PERIOD_MILLIS} ms: so
 * much more than allowed may be used. Where the system does not tell it, time of the wall is taken.
 */
final class ProcessorWatch implements AutoCloseable {
    static final int PERIOD_MILLIS = 20;

    private static final boolean IS_TOLD =
            ProcessHandle.current().info().totalCpuDuration().isPresent();
    private static final ScheduledExecutorService PERIODS = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("attachment-reader-watch").factory());

    private final ProcessHandle process;
    private final long stallNanos;
    private final ScheduledFuture<?> periods;
    private final long begin;
    private long allowedNanos;
    private long excludedNanos;
    private boolean isPaused;
    private long pauseBegin;
    private long pauseNanos;
    private boolean isWaitedFor;
    private long lastUsed;
    private long lastProgress;
    private boolean isOver;
    private Refusal.@Nullable Reason killedFor;

    /**
     * Begins to watch.
     *
     * @param allowed processor time from now on
     * @param stall   time of the wall in which a process that is waited for may use no processor
     */
    ProcessorWatch(ProcessHandle process, Duration allowed, Duration stall) {
        this.process = process;
        this.allowedNanos = allowed.toNanos();
        this.stallNanos = stall.toNanos();
        this.begin = used();
        this.lastProgress = System.nanoTime();
        this.periods = PERIODS.scheduleWithFixedDelay(this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Processor time of the process since it began; of one that has ended, what was seen last. */
    private long used() {
        long used = IS_TOLD
                ? process.info().totalCpuDuration().map(Duration::toNanos).orElse(lastUsed)
                : System.nanoTime();
        return Math.max(used, lastUsed);
    }

    private synchronized void look() {
        if (isOver || killedFor != null) {
            return;
        }
        long used = used();
        long now = System.nanoTime();
        if (used != lastUsed || !isWaitedFor) {
            lastUsed = used;
            lastProgress = now;
        }
        boolean isUsedUp = isPaused ? used - pauseBegin > pauseNanos : counted(used) > allowedNanos;
        if (isUsedUp) {
            kill(Refusal.Reason.TIME_LIMIT);
        } else if (now - lastProgress > stallNanos) {
            kill(Refusal.Reason.READER_FAILED);
        }
    }

    private long counted(long used) {
        return (isPaused ? pauseBegin : used) - begin - excludedNanos;
    }

    private void kill(Refusal.Reason reason) {
        killedFor = reason;
        process.destroyForcibly();
    }

    /** An answer of the process is waited for, or room for what is written to it. */
    synchronized void expect() {
        isWaitedFor = true;
        lastProgress = System.nanoTime();
    }

    /** The process has nothing to do until more is written to it. */
    synchronized void rest() {
        isWaitedFor = false;
    }

    /** Allows so much processor time from the beginning on, without pauses. */
    synchronized void allow(Duration allowed) {
        allowedNanos = allowed.toNanos();
    }

    /**
     * Stops counting.
     *
     * @param allowed processor time until {@link #goOn}
     */
    synchronized void pause(Duration allowed) {
        if (!isPaused) {
            isPaused = true;
            pauseBegin = used();
            pauseNanos = allowed.toNanos();
        }
    }

    /** Counts again. */
    synchronized void goOn() {
        if (isPaused) {
            excludedNanos += used() - pauseBegin;
            isPaused = false;
        }
    }

    /** Processor time that was used so far, without that of pauses. */
    synchronized long spentNanos() {
        return counted(used());
    }

    /** Processor time of pauses. */
    synchronized long pausedNanos() {
        return excludedNanos + (isPaused ? used() - pauseBegin : 0);
    }

    /** Why the process was killed, if it was. */
    synchronized Optional<Refusal.Reason> killedFor() {
        return Optional.ofNullable(killedFor);
    }

    /** Ends watching: the process is not killed any more. */
    @Override
    public synchronized void close() {
        isOver = true;
        periods.cancel(false);
    }
}
