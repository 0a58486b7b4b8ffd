package dev.veilgate.console.logsink;

import dev.veilgate.application.connection.DescriptorHealth;
import dev.veilgate.console.audit.AuditLog;
import dev.veilgate.console.settings.ConsoleSettings;
import dev.veilgate.issuing.LogEntry;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class LogSinkConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(LogSinkConfiguration.class);
    /** A restart of the receiver takes less. */
    private static final Duration TOLERATED = Duration.ofMinutes(5);

    /** The sink that is configured, if one is. */
    @Bean(destroyMethod = "close")
    PresentSink presentSink(
            SinkSettings.Syslog syslog,
            SinkSettings.Https https,
            SinkSettings.Tls tls,
            ConsoleSettings console,
            AuditLog log,
            JdbcClient jdbc,
            TransactionTemplate transactions,
            JsonMapper json,
            Clock clock)
            throws IOException {
        Optional<Delivery> delivery = delivery(syslog, https, tls, console, json, clock);
        if (delivery.isEmpty()) {
            return new PresentSink(Optional.empty());
        }
        String receiver = receiver(syslog, https);
        LogSink sink = new LogSink(
                new OpenLog(log),
                new SinkPosition(jdbc, transactions, receiver),
                delivery.get(),
                LogSink.BACKOFF,
                clock,
                receiver);
        LOG.info("the issuing log is sent to {}", receiver);
        sink.start();
        return new PresentSink(Optional.of(sink));
    }

    /** @throws IllegalArgumentException if both receivers are set */
    static Optional<Delivery> delivery(
            SinkSettings.Syslog syslog,
            SinkSettings.Https https,
            SinkSettings.Tls tls,
            ConsoleSettings console,
            JsonMapper json,
            Clock clock)
            throws IOException {
        if (syslog.isSet() && https.isSet()) {
            throw new IllegalArgumentException("the issuing log has one receiver: set"
                    + " veilgate.log-sink.syslog.address or veilgate.log-sink.https.url, not both");
        }
        if (syslog.isSet()) {
            SyslogForm form =
                    new SyslogForm(json, console.url().getHost(), syslog.enterpriseNumber(), syslog.maxBytes());
            return Optional.of(new SyslogDelivery(syslog, tls.context(), form));
        }
        return https.isSet()
                ? Optional.of(new HttpsDelivery(https, tls.context(), new JsonForm(json, https.keywords()), clock))
                : Optional.empty();
    }

    /** Name of the receiver, without what may be a secret in a query. */
    static String receiver(SinkSettings.Syslog syslog, SinkSettings.Https https) {
        URI url = https.url();
        return syslog.isSet() || url == null
                ? "syslog " + syslog.address()
                : url.getScheme() + "://" + url.getRawAuthority() + url.getRawPath();
    }

    /** The sink; none if nobody has configured one. */
    record PresentSink(Optional<LogSink> sink) implements AutoCloseable {
        @Override
        public void close() {
            sink.ifPresent(LogSink::close);
        }
    }

    /** The console's log, while it is open. */
    private record OpenLog(AuditLog log) implements SinkSource {
        @Override
        public Optional<Long> size() {
            return log.size();
        }

        @Override
        public Optional<LogEntry> entry(long number) throws IOException {
            return log.entry(number);
        }

        @Override
        public String tenant() {
            return log.tenant();
        }
    }

    /** Health of the sink: degraded if the receiver has acknowledged nothing for some time. */
    @Bean
    HealthIndicator logSinkHealthIndicator(PresentSink present, Clock clock) {
        return () -> health(present, clock);
    }

    static Health health(PresentSink present, Clock clock) {
        Optional<SinkState> state = present.sink().map(LogSink::state);
        if (state.isEmpty() || state.get().failure() == null) {
            return Health.up().build();
        }
        SinkState.Failure failure = state.get().failure();
        boolean isLong = !clock.instant().isBefore(failure.since().plus(TOLERATED));
        return (isLong ? Health.status(DescriptorHealth.DEGRADED) : Health.up())
                .withDetail("since", failure.since())
                .withDetail("reason", failure.reason())
                .build();
    }
}
