package dev.veilgate.transport.supervision;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a service to SIGTERM and SIGINT from the beginning of its start on: it says that it stops, and ends
 * the process in bounded time ({@link BoundedStop}).
 */
public final class SignalStop {
    private final Supervisor supervisor;
    private final Consumer<String> log;
    private final Duration limit;
    private final String kept;
    private final Thread hook = new Thread(this::stop, "stop");
    private volatile @Nullable Service service;

    private record Service(Supplier<String> awaited, Runnable release) {}

    /**
     * Answers signals from now on.
     *
     * @param limit until the process is ended
     * @param kept  a sentence: where the data are that a stop does not wait for
     */
    public SignalStop(Supervisor supervisor, Consumer<String> log, Duration limit, String kept) {
        this.supervisor = supervisor;
        this.log = log;
        this.limit = limit;
        this.kept = kept;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * The service is there: it is released by a signal. What starts before that is cut off.
     *
     * @param awaited what a stop waits for at the moment
     * @param release returns when all is released
     */
    public void releases(Supplier<String> awaited, Runnable release) {
        service = new Service(awaited, release);
    }

    /** Leaves signals to Java again. False if one came, and this process ends by it. */
    public boolean remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private void stop() {
        Service there = service;
        Supplier<String> awaited = there == null ? () -> "its own start" : there.awaited;
        new BoundedStop(log, limit, awaited, kept).run(() -> {
            supervisor.stopping(limit);
            if (there != null) {
                there.release.run();
            }
        });
    }
}
