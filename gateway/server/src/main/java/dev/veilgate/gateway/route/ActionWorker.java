package dev.veilgate.gateway.route;

import dev.veilgate.application.command.StopWaits;
import dev.veilgate.gateway.figures.FigureCounts;
import dev.veilgate.gateway.ingest.Ingestion;
import dev.veilgate.transport.Backoff;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Does what routes ask for: many at a time, few of one route, again with growing pauses after a failure, until it is given up. What waits only because a broker or web server was
 * away goes as soon as that answers.
 */
@Component
final class ActionWorker implements SmartLifecycle, StopWaits {
    private static final Logger LOG = LoggerFactory.getLogger(ActionWorker.class);
    private static final int MAX_AT_ONCE = 32;
    private static final int MAX_OF_A_ROUTE = 8;
    private static final long LOOK_MILLIS = 500;
    /** Of the ten seconds that a stop may take in all. */
    private static final long STOP_SECONDS = 2;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);
    private static final Duration FORGET_EVERY = Duration.ofMinutes(10);

    private final ActionQueue queue;
    private final RouteStore routes;
    private final Map<RouteAction.Kind, ActionPerformer> performers;
    private final RouteSettings settings;
    private final Clock clock;
    private final MeterRegistry metrics;
    private final FigureCounts counts;
    private final Semaphore free = new Semaphore(MAX_AT_ONCE);
    private final Map<UUID, Integer> busy = new ConcurrentHashMap<>();
    private final Reachability reachability;

    private volatile boolean running;
    private Instant forgetAt = Instant.MIN;
    private @Nullable Thread thread;

    ActionWorker(
            ActionQueue queue,
            RouteStore routes,
            List<ActionPerformer> performers,
            RouteSettings settings,
            Clock clock,
            MeterRegistry metrics,
            FigureCounts counts) {
        this.queue = queue;
        this.routes = routes;
        this.performers =
                performers.stream().collect(Collectors.toUnmodifiableMap(ActionPerformer::kind, Function.identity()));
        this.settings = settings;
        this.clock = clock;
        this.metrics = metrics;
        this.counts = counts;
        this.reachability = new Reachability(clock);
    }

    @Override
    public synchronized void start() {
        running = true;
        thread = Thread.ofPlatform().name("routes").start(this::run);
    }

    /** What is under way is finished, or taken up again after its lease. */
    @Override
    public synchronized void stop() {
        running = false;
        queue.wake();
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String stopWaitsFor() {
        int under = busy.values().stream().mapToInt(Integer::intValue).sum();
        return under == 0 ? "" : "actions of routes under way: " + under;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Ingestion.CHANNELS_PHASE + 1; // the broker is a channel
    }

    private void run() {
        boolean troubled = false;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            while (running) {
                try {
                    if (!round(threads)) {
                        queue.await(LOOK_MILLIS);
                    }
                    troubled = false;
                } catch (RuntimeException e) {
                    if (!troubled) {
                        LOG.error("actions of routes cannot be looked up; it is tried again", e);
                    }
                    troubled = true;
                    queue.await(LOOK_MILLIS);
                }
            }
            threads.shutdown();
            if (!threads.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether there may be more at once. */
    private boolean round(ExecutorService threads) throws InterruptedException {
        Instant now = clock.instant();
        if (!now.isBefore(forgetAt)) {
            queue.forget();
            forgetAt = now.plus(FORGET_EVERY);
        }
        int room = Math.min(free.availablePermits(), MAX_OF_A_ROUTE);
        if (room == 0) {
            free.acquire(); // until one ends
            free.release();
            return true;
        }
        List<UUID> full = busy.entrySet().stream()
                .filter(each -> each.getValue() >= MAX_OF_A_ROUTE)
                .map(Map.Entry::getKey)
                .toList();
        List<ActionQueue.Taken> taken = queue.take(room, full);
        if (taken.isEmpty()) {
            return false;
        }
        Map<UUID, Route> byId = new HashMap<>();
        routes.table().routes().forEach(route -> byId.put(route.id(), route));
        for (ActionQueue.Taken one : taken) {
            Optional<Route> route = Optional.ofNullable(byId.get(one.route()));
            if (route.isEmpty()) {
                queue.drop(one.route());
                continue;
            }
            free.acquire();
            busy.merge(one.route(), 1, Integer::sum);
            threads.execute(() -> perform(route.get(), one.named(route.get())));
        }
        return true;
    }

    private ActionPerformer performer(Route route) {
        return Objects.requireNonNull(performers.get(route.action().kind())); // there is one for each kind
    }

    private void perform(Route route, ActionQueue.Taken taken) {
        String kind = route.action().kind().label();
        String outcome = "failed";
        ActionPerformer performer = performer(route);
        String needed = performer.needs(route);
        long began = reachability.begin();
        try {
            performer.perform(route, taken);
            outcome = "done";
            answered(needed);
        } catch (Exception e) {
            boolean unreachable = e instanceof ActionPerformer.UnreachableException && !needed.isEmpty();
            outcome = failed(route, taken, e, unreachable ? needed : null, began) ? "given-up" : "failed";
            if (e instanceof ActionPerformer.AnsweredException) {
                answered(needed);
            }
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
        } finally {
            metrics.counter("veilgate.route.actions", "kind", kind, "outcome", outcome)
                    .increment();
            counts.delivery(taken.notice().tenant(), outcome.equals("done"));
            busy.computeIfPresent(taken.route(), (id, count) -> count == 1 ? null : count - 1);
            free.release();
        }
    }

    /** What waits for it need not wait longer. */
    private void answered(String needed) {
        if (needed.isEmpty() || !reachability.answered(needed)) {
            return;
        }
        try {
            queue.reached(needed);
        } catch (RuntimeException databaseAway) {
            reachability.missed(needed); // the next that succeeds does it
        }
    }

    /** Whether it is given up. */
    private boolean failed(
            Route route, ActionQueue.Taken taken, Exception e, @Nullable String unreachable, long began) {
        Throwable cause = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
        Instant now = clock.instant();
        boolean last = !now.isBefore(taken.notice().arrived().plus(settings.giveUp()));
        LOG.warn(
                "route {}, envelope {}: {} failed at attempt {}{}: {}",
                route.id(),
                taken.notice().envelope(),
                route.action().kind().label(),
                taken.attempts() + 1,
                last ? " and is given up" : "",
                cause instanceof IOException
                        ? cause.getMessage()
                        : cause.getClass().getSimpleName());
        try {
            if (last) {
                queue.giveUp(taken);
            } else {
                again(route, taken, unreachable, began);
            }
        } catch (RuntimeException databaseAway) {
            LOG.warn(
                    "route {}: that is not noted: {}",
                    route.id(),
                    databaseAway.getClass().getSimpleName());
        }
        return last;
    }

    private void again(Route route, ActionQueue.Taken taken, @Nullable String unreachable, long began) {
        Instant now = clock.instant();
        if (unreachable == null) {
            queue.again(taken, now.plus(pause(taken.attempts())), null);
            return;
        }
        reachability.missed(unreachable);
        boolean isSoon = reachability.hasJustAnswered(unreachable, now)
                || performer(route).isOurs() && reachability.isToBeLookedFor(unreachable, now, FIRST_PAUSE);
        queue.again(taken, now.plus(isSoon ? FIRST_PAUSE : pause(taken.attempts())), unreachable);
        if (reachability.hasAnsweredSince(unreachable, began)) {
            queue.sooner(taken, now.plus(FIRST_PAUSE), unreachable); // it may have missed its release
        }
    }

    private Duration pause(int attempts) {
        return Backoff.doubling(FIRST_PAUSE, settings.maxPause(), Backoff.Spread.NONE)
                .pause(attempts + 1);
    }
}
