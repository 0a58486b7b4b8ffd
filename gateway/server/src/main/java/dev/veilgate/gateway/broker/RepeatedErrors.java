package dev.veilgate.gateway.broker;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Keeps HiveMQ from filling the log with one error, such as a stack trace for each connection that ends too early. An error is written when it comes, whatever it is, and then the same one
 * once a minute with how often it came; others are not held back by it. Lines of others than HiveMQ pass untouched.
 */
final class RepeatedErrors extends TurboFilter implements AutoCloseable {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(RepeatedErrors.class);
    private static final String HIVEMQ = "com.hivemq";
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final int MOST_KINDS = 256;

    private static final class Kind {
        private final long written;
        private long held;

        Kind(long written) {
            this.written = written;
        }
    }

    private final Counter errors;
    private final LongSupplier nanos;
    private final @Nullable LoggerContext logback;
    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    /** Watches from now on, until it is closed. */
    RepeatedErrors(MeterRegistry meters, LongSupplier nanos) {
        this.errors = Counter.builder("veilgate.mqtt.errors")
                .description("warnings and errors of the embedded broker, also those that the log does not repeat")
                .register(meters);
        this.nanos = nanos;
        logback = LoggerFactory.getILoggerFactory() instanceof LoggerContext found ? found : null;
        if (logback != null) {
            start();
            logback.addTurboFilter(this);
        }
    }

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        if (format == null || !level.isGreaterOrEqual(Level.WARN) || !isOfHiveMq(logger.getName(), format)) {
            return FilterReply.NEUTRAL;
        }
        errors.increment();
        return isHeld(kind(logger.getName(), format, arguments, thrown)) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }

    /** What Netty says of a listener names its class. */
    private static boolean isOfHiveMq(String logger, String format) {
        return logger.startsWith(HIVEMQ) || logger.startsWith("io.netty") && format.contains(HIVEMQ);
    }

    /** HiveMQ gives some stack traces as text, whose first line says what it is. */
    private static String kind(
            String logger, String format, Object @Nullable [] arguments, @Nullable Throwable thrown) {
        StringBuilder kind = new StringBuilder(logger).append(' ').append(format.replaceAll("[0-9]+", "#"));
        if (thrown != null) {
            kind.append(' ').append(thrown.getClass().getName()).append(place(thrown.getStackTrace()));
        }
        for (Object argument : arguments == null ? new Object[0] : arguments) {
            if (argument instanceof String text && text.contains("\n\tat ")) {
                int end = text.indexOf('\n', text.indexOf("\n\tat ") + 1);
                kind.append(' ').append(end < 0 ? text : text.substring(0, end));
            }
        }
        return kind.toString();
    }

    private static String place(StackTraceElement[] trace) {
        return trace.length == 0 ? "" : " at " + trace[0];
    }

    private synchronized boolean isHeld(String what) {
        long now = nanos.getAsLong();
        Kind kind = kinds.get(what);
        if (kind != null && now - kind.written < MINUTE) {
            kind.held++;
            return true;
        }
        if (kinds.size() < MOST_KINDS || kind != null) {
            kinds.put(what, new Kind(now));
        }
        return false;
    }

    /** Says how often errors of the last minutes came that were held back. To be called now and then. */
    void flush() {
        Map<String, Long> said = new LinkedHashMap<>();
        synchronized (this) {
            long now = nanos.getAsLong();
            for (Iterator<Map.Entry<String, Kind>> all = kinds.entrySet().iterator(); all.hasNext(); ) {
                Map.Entry<String, Kind> each = all.next();
                if (now - each.getValue().written >= MINUTE) {
                    if (each.getValue().held > 0) {
                        said.put(each.getKey(), each.getValue().held);
                    }
                    all.remove();
                }
            }
        }
        said.forEach((what, held) -> LOG.warn(
                "MQTT: {} more since the last minute, as the one that was written: {}", held, what.split("\n", 2)[0]));
    }

    @Override
    public void close() {
        if (logback != null) {
            logback.getTurboFilterList().remove(this);
            stop();
        }
    }
}
