package dev.veilgate.application.command;

import dev.veilgate.transport.supervision.BoundedStop;
import dev.veilgate.transport.supervision.Supervisor;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;

/** Closes an application's context when the process is told to end, also while it starts, in bounded time. */
final class ShutdownHook {
    private final Supervisor supervisor;
    private final Consumer<String> log;
    private final String kept;
    private final Thread thread = new Thread(this::stop, "stop");
    private volatile @Nullable ConfigurableApplicationContext context;
    private volatile boolean hasStarted;

    /** @param kept a sentence: where the data are that a stop does not wait for */
    ShutdownHook(Supervisor supervisor, Consumer<String> log, String kept) {
        this.supervisor = supervisor;
        this.log = log;
        this.kept = kept;
        Runtime.getRuntime().addShutdownHook(thread);
    }

    /** Names what is to be closed. */
    void stops(ConfigurableApplicationContext made) {
        context = made;
    }

    /** All parts of the application are made. */
    void started() {
        hasStarted = true;
    }

    /** For an application that did not start and has released what it had. */
    void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The process ends already.
        }
    }

    private void stop() {
        supervisor.stopping(BoundedStop.LIMIT);
        ConfigurableApplicationContext open = context;
        List<StopWaits> parts = open == null || !hasStarted ? List.of(() -> "its own start") : parts(open);
        new BoundedStop(log, BoundedStop.LIMIT, () -> awaited(parts), kept).run(() -> {
            if (open != null) {
                open.close();
            }
        });
    }

    /** Parts of the context, asked for before it closes; none is made for this. */
    private static List<StopWaits> parts(ConfigurableApplicationContext open) {
        ConfigurableListableBeanFactory beans = open.getBeanFactory();
        return Arrays.stream(beans.getSingletonNames())
                .map(beans::getSingleton)
                .filter(StopWaits.class::isInstance)
                .map(StopWaits.class::cast)
                .toList();
    }

    private static String awaited(List<StopWaits> parts) {
        return parts.stream()
                .map(StopWaits::stopWaitsFor)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
    }
}
