package dev.veilgate.gateway.broker;

import com.hivemq.mqtt.message.reason.Mqtt5ConnAckReasonCode;
import dev.veilgate.application.connection.MinuteLog;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is measured of connections to the embedded broker; never by who opened them. */
final class ConnectionMeters {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionMeters.class);

    /** How a connection ended on which no CONNECT was answered. */
    enum Unfinished {
        /** The other side closed it without a byte. */
        SILENT,
        /** What came was no CONNECT, or not all of it. */
        NO_CONNECT,
        /** The other side closed it before it was answered. */
        LEFT,
        /** It was closed, since there was no CONNECT in time. */
        TIMEOUT,
        /** It was closed, since newer ones came. */
        DISPLACED
    }

    private final Map<Mqtt5ConnAckReasonCode, Counter> answers;
    private final Map<Unfinished, Counter> unfinished;
    private final Map<DeviceQuota.Limit, Counter> limits;
    private final Counter notAccepted;
    private final Counter received;
    private final Counter sent;
    private final MinuteLog unfinishedLog = new MinuteLog((times, latest) ->
            LOG.info("MQTT: connections that ended before a login was answered: {}; the latest: {}", times, latest));

    ConnectionMeters(MeterRegistry meters) {
        answers = counters(
                Mqtt5ConnAckReasonCode.class,
                code -> Counter.builder("veilgate.mqtt.connects")
                        .tag("result", label(code))
                        .description("CONNECTs by what they were answered")
                        .register(meters));
        unfinished = counters(
                Unfinished.class,
                how -> Counter.builder("veilgate.mqtt.connects.unfinished")
                        .tag("reason", label(how))
                        .description("connections that ended before a CONNECT was answered")
                        .register(meters));
        limits = counters(
                DeviceQuota.Limit.class,
                limit -> Counter.builder("veilgate.mqtt.connects.over.limit")
                        .tag("limit", label(limit))
                        .description("logins refused, since the device has as many connections or sessions as it may")
                        .register(meters));
        notAccepted = Counter.builder("veilgate.mqtt.accept.errors")
                .description("failures of the system to accept a connection, such as too many open files")
                .register(meters);
        received = bytes(meters, "in");
        sent = bytes(meters, "out");
    }

    private static <E extends Enum<E>> Map<E, Counter> counters(Class<E> type, Function<E, Counter> make) {
        return Arrays.stream(type.getEnumConstants())
                .collect(Collectors.toMap(Function.identity(), make, (one, other) -> one, () -> new EnumMap<>(type)));
    }

    private static Counter bytes(MeterRegistry meters, String direction) {
        return Counter.builder("veilgate.mqtt.traffic")
                .tag("direction", direction)
                .baseUnit("bytes")
                .description("what connections carried, without TLS")
                .register(meters);
    }

    private static String label(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static <E extends Enum<E>> void count(Map<E, Counter> counters, E what) {
        Objects.requireNonNull(counters.get(what)).increment(); // there is one for each
    }

    void answered(Mqtt5ConnAckReasonCode code) {
        count(answers, code);
    }

    void unfinished(Unfinished how) {
        count(unfinished, how);
        unfinishedLog.note(label(how));
    }

    void overLimit(DeviceQuota.Limit limit) {
        count(limits, limit);
    }

    void notAccepted() {
        notAccepted.increment();
    }

    void received(int bytes) {
        received.increment(bytes);
    }

    void sent(int bytes) {
        sent.increment(bytes);
    }

    /** To be called now and then. */
    void flush() {
        unfinishedLog.flush();
    }
}
