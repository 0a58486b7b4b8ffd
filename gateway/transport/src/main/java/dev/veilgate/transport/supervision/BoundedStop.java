package dev.veilgate.transport.supervision;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The stop of a service that a signal asked for. Says at once that the service stops, every two seconds what it still
 * waits for, and ends the process when its time is over or a second signal comes, whatever still runs then. For
 * services whose acknowledged data are on disk at each moment: what is cut off is what a {@code kill -9} cuts off.
 */
public final class BoundedStop {
    /**
     * The time of a whole stop. Two seconds less than the ten that services promise, for a machine that is busy.
     */
    public static final Duration LIMIT = Duration.ofSeconds(8);

    /** Exit status of a process that ended for SIGTERM. */
    public static final int TERMINATED = 143;

    private static final Duration EVERY = Duration.ofSeconds(2);
    /** A line may be written to a pipe that nobody reads. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final Consumer<String> log;
    private final Duration limit;
    private final Supplier<String> awaited;
    private final String kept;
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final long began = System.nanoTime();

    /**
     * A stop that begins now.
     *
     * @param log     takes lines
     * @param limit   until the process is ended
     * @param awaited what the service waits for at the moment; an empty text if it cannot say
     * @param kept    a sentence for people: where the data are that the service has not dealt with
     */
    public BoundedStop(Consumer<String> log, Duration limit, Supplier<String> awaited, String kept) {
        this.log = log;
        this.limit = limit;
        this.awaited = awaited;
        this.kept = kept;
    }

    /**
     * Stops the service. Returns when that is done; if it takes longer than the limit, the process ends with status
     * {@value #TERMINATED} before. For a shutdown hook.
     *
     * @param service releases all that the service has
     */
    public void run(Runnable service) {
        CountDownLatch done = new CountDownLatch(1);
        TermSignals.handle(() -> end("a second signal came"));
        daemon("stop-limit", () -> {
            if (!awaits(done, limit)) {
                end("after " + limit.toMillis() / 1000.0 + " s");
            }
        });
        write(() -> "told to stop; ends within " + limit.toSeconds() + " s" + waiting("; waits for "));
        daemon("stop-log", () -> {
            while (!awaits(done, EVERY)) {
                log.accept("stops" + waiting("; still waits for "));
            }
        });
        try {
            service.run();
        } finally {
            done.countDown();
            if (!isEnding.get()) {
                long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
                write(() -> "stopped after " + millis / 1000.0 + " s");
            }
        }
    }

    /** Ends the process, with a last line if it can be written. */
    private void end(String why) {
        if (isEnding.compareAndSet(false, true)) {
            write(() -> "ends at once, " + why + waiting(", without waiting for ") + ". " + kept);
            Runtime.getRuntime().halt(TERMINATED);
        }
    }

    /** Writes a line, or goes on without if nobody takes it or what is asked for it does not answer. */
    private void write(Supplier<String> line) {
        try {
            daemon("stop-line", () -> log.accept(line.get())).join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String waiting(String before) {
        try {
            String now = awaited.get();
            return now.isEmpty() ? "" : before + now;
        } catch (RuntimeException e) {
            return ""; // what is asked is being closed
        }
    }

    private static Thread daemon(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }

    private static boolean awaits(CountDownLatch done, Duration time) {
        try {
            return done.await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return true; // nobody interrupts these threads
        }
    }
}
