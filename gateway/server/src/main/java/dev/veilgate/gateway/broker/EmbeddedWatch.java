package dev.veilgate.gateway.broker;

import com.codahale.metrics.Counter;
import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import com.hivemq.metrics.HiveMQMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What is measured of a running embedded broker, and what is written now and then, as long as it runs. */
final class EmbeddedWatch implements AutoCloseable {
    private static final Duration EVERY = Duration.ofSeconds(10);

    private final MeterRegistry meters;
    private final List<Meter> registered = new ArrayList<>();
    private final RepeatedErrors errors;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("mqtt-watch").factory());

    /**
     * Registers its meters.
     *
     * @param keptFromBroker messages of devices that the broker does not deliver: it counts them as dropped
     * @param flush          writes what the log has not said yet
     */
    EmbeddedWatch(
            MeterRegistry meters,
            MetricRegistry hivemq,
            HiveMqInternals internals,
            OpenConnections open,
            LongSupplier keptFromBroker,
            Runnable flush) {
        this.meters = meters;
        errors = new RepeatedErrors(meters, System::nanoTime);
        gauge("veilgate.mqtt.connections", "connections of devices", open::loggedIn);
        gauge("veilgate.mqtt.connections.unfinished", "connections that nobody has logged in on yet", open::unfinished);
        gauge(
                "veilgate.mqtt.sessions",
                "sessions, also of clients that are away",
                () -> value(hivemq, HiveMQMetrics.CLIENT_SESSIONS_CURRENT.name()));
        gauge(
                "veilgate.mqtt.waiting",
                "messages that wait for subscribers",
                () -> internals.queueLengths().sum());
        gauge(
                "veilgate.mqtt.waiting.longest",
                "messages in the longest queue of a subscriber",
                () -> internals.queueLengths().max().orElse(0));
        Counter dropped = hivemq.counter(HiveMQMetrics.DROPPED_MESSAGE_COUNT.name());
        registered.add(FunctionCounter.builder(
                        "veilgate.mqtt.dropped",
                        dropped,
                        all -> Math.max(0, all.getCount() - keptFromBroker.getAsLong()))
                .description(
                        "messages for subscribers that were dropped: their queue was full, or they were for another tenant")
                .register(meters));
        timer.scheduleWithFixedDelay(
                () -> {
                    errors.flush();
                    flush.run();
                },
                EVERY.toSeconds(),
                EVERY.toSeconds(),
                TimeUnit.SECONDS);
    }

    private static Number value(MetricRegistry hivemq, String name) {
        Gauge<?> gauge = hivemq.getGauges().get(name);
        return gauge != null && gauge.getValue() instanceof Number number ? number : Double.NaN;
    }

    private void gauge(String name, String description, Supplier<Number> value) {
        registered.add(io.micrometer.core.instrument.Gauge.builder(name, value)
                .description(description)
                .strongReference(true)
                .register(meters));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        errors.close();
        registered.forEach(meters::remove);
    }
}
