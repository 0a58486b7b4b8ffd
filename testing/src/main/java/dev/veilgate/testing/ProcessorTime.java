package dev.veilgate.testing;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Bounds of what work costs by the processor time of its thread: on a machine that is busy with other things the clock
 * says nothing of the work.
 */
public final class ProcessorTime {
    /** The longest wait for work that costs nothing: it waits for something that does not come. */
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private static final long LOOK_MILLIS = 20;

    private ProcessorTime() {}

    /**
     * Does work in a thread of its own, which is left behind where it goes on for too long.
     *
     * @return the work's result
     * @throws AssertionError where it takes more than a processor time, with the place where it was then
     * @throws Exception      as the work throws
     */
    public static <T> T bounded(Duration most, Callable<T> work) throws Exception {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = Thread.ofPlatform().daemon().name("bounded").start(task);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long end = System.nanoTime() + LONGEST.toNanos();
        while (true) {
            try {
                T result = task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return result;
            } catch (ExecutionException e) {
                throw thrown(e);
            } catch (TimeoutException e) {
                Duration used = Duration.ofNanos(Math.max(0, threads.getThreadCpuTime(thread.threadId())));
                if (used.compareTo(most) > 0 || System.nanoTime() - end > 0) {
                    AssertionError late = new AssertionError("not done after " + used + " of a processor");
                    late.setStackTrace(thread.getStackTrace());
                    thread.interrupt();
                    throw late;
                }
            }
        }
    }

    private static Exception thrown(ExecutionException e) throws Exception {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof Exception cause ? cause : e;
    }
}
