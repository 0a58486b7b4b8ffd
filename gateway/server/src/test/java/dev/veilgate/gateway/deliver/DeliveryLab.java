package dev.veilgate.gateway.deliver;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.transport.smtp.SmtpTls;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/** Gateways' outbound sides on one database, with a clock that a test moves. */
final class DeliveryLab implements AutoCloseable {
    final Later clock = new Later();
    final Database database;
    final DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
    final Map<String, DeliverSettings.Relay> relays = new LinkedHashMap<>();
    SmtpTls mxTls = SmtpTls.OPPORTUNISTIC;
    String dns = "127.0.0.1:1";
    int mxPort = 25;
    int parallel = 2;
    Duration connect = Duration.ofSeconds(60);
    Duration reply = Duration.ofSeconds(60);
    private final HikariDataSource source;
    private final List<Dispatcher> running = new ArrayList<>();
    private @Nullable StoredQueue queue;

    /** The real time and a bit. */
    static final class Later extends Clock {
        volatile Duration by = Duration.ZERO;

        @Override
        public Instant instant() {
            return Instant.now().plus(by);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    /** On H2 in memory. */
    DeliveryLab() {
        this("jdbc:h2:mem:" + java.util.UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    DeliveryLab(String url) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(url.startsWith("jdbc:postgresql") ? "veilgate" : "sa");
        config.setPassword("");
        config.setMaximumPoolSize(10);
        config.setConnectionTimeout(10_000);
        source = new HikariDataSource(config);
        Flyway.configure().dataSource(source).load().migrate();
        database = new Database(source);
    }

    DeliverSettings settings() {
        return new DeliverSettings(
                relays,
                null,
                mxTls,
                dns,
                parallel,
                connect,
                reply,
                Duration.ofMillis(50),
                Duration.ofMinutes(5),
                new DeliverSettings.Retry(Duration.ofMinutes(1), Duration.ofHours(2), Duration.ofDays(4)));
    }

    /** Mail for the domain goes there, in clear. */
    DeliveryLab relay(String domain, int port) {
        return relay(domain, port, SmtpTls.NONE, "");
    }

    DeliveryLab relay(String domain, int port, SmtpTls tls, String bundle) {
        relays.put(domain, new DeliverSettings.Relay("localhost", port, tls, bundle, "", null));
        return this;
    }

    StoredQueue queue(String owner) {
        return new StoredQueue(database, owner, Duration.ofMinutes(5), clock);
    }

    /** A gateway's outbound side. */
    Dispatcher start(String owner) {
        DeliverSettings settings = settings();
        StoredQueue opened = queue(owner);
        queue = opened;
        var meters = new SimpleMeterRegistry();
        var courier = new Courier(
                settings,
                opened,
                new MailServers(settings.dns(), new Random(1)),
                new HopTrust(bundles),
                new SenderPolicy(settings.dns()),
                new OutboundCounters(meters, opened),
                "mx.example.org",
                clock);
        var dispatcher = new Dispatcher(
                opened, new Hop.Table(settings, mxPort), courier, new Lanes(courier, settings, clock), settings, clock);
        dispatcher.start();
        running.add(dispatcher);
        return dispatcher;
    }

    Dispatcher start() {
        return start("one");
    }

    void add(String reversePath, List<String> recipients, String message) {
        StoredQueue to = queue == null ? queue("nobody") : queue;
        byte[] bytes = message.getBytes(StandardCharsets.ISO_8859_1);
        database.transactions()
                .executeWithoutResult(status -> to.add(new OutboundMail(reversePath, recipients, bytes)));
    }

    long waiting() {
        return queue("nobody").depth();
    }

    /** The attempts for the only recipient of all; 0 if there is none. */
    int attempts() {
        return database.jdbc()
                .sql("SELECT attempts FROM outbound_recipient")
                .query(Integer.class)
                .optional()
                .orElse(0);
    }

    long rows(String table) {
        return database.jdbc()
                .sql("SELECT COUNT(*) FROM " + table)
                .query(Long.class)
                .single();
    }

    void awaitEmpty() {
        await().until(() -> waiting() == 0);
    }

    @Override
    public void close() {
        running.forEach(Dispatcher::stop);
        source.close();
    }
}
