package dev.veilgate.console.logsink;

import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.application.TestClock;
import dev.veilgate.application.database.ApplicationDatabase;
import dev.veilgate.envelope.KemSecretKey;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.issuing.LogEntry;
import dev.veilgate.transport.Backoff;
import dev.veilgate.transport.ClosingTls;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** An issuing log, a database and what is between them and a receiver. */
final class SinkBench implements SinkSource, AutoCloseable {
    static final JsonMapper JSON = JsonMapper.builder().build();
    static final String RECEIVER = "receiver of the test";
    static final ClosingTls.Limits LIMITS =
            new ClosingTls.Limits(Duration.ofSeconds(60), Duration.ofSeconds(120), Duration.ofMillis(5));

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final SigningKey AUTHORITY = SigningKey.generate("acme", RANDOM);
    private static final KemSecretKey KEEPER = KemSecretKey.generate(RANDOM);
    private static final HeadPolicy SELDOM = new HeadPolicy(1 << 30, Duration.ofDays(10_000));
    private static final Backoff QUICK =
            Backoff.doubling(Duration.ofMillis(1), Duration.ofMillis(20), Backoff.Spread.NONE);
    private static final Pattern NUMBER = Pattern.compile("\"number\":(\\d+)");

    final TestClock clock = new TestClock();
    final HikariDataSource database;
    private final JdbcClient jdbc;
    private volatile IssuingLog log;
    private volatile boolean locked;

    SinkBench(Path folder) throws IOException {
        database = ApplicationDatabase.open(
                new ApplicationDatabase.Location(null, null, null), folder.resolve("data"), "console", 4);
        ApplicationDatabase.migrate(database);
        jdbc = JdbcClient.create(database);
        log = open(folder.resolve("log"));
    }

    static IssuingLog open(Path folder) throws IOException {
        return IssuingLog.open(folder, AUTHORITY, SELDOM, new TestClock(), RANDOM);
    }

    /** Puts another log in the place of this one. */
    void replace(IssuingLog other) throws IOException {
        log.close();
        log = other;
    }

    void lock(boolean now) {
        locked = now;
    }

    void append(int entries) throws IOException {
        append(log, entries, "ada");
    }

    static void append(IssuingLog log, int entries, String actor) throws IOException {
        List<LogDraft> drafts = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            drafts.add(LogDraft.of(EntryKind.TRAPDOOR, actor).with("scope", "plant-7"));
        }
        log.append(drafts);
    }

    void append(LogDraft draft) throws IOException {
        log.append(draft);
    }

    static LogDraft sealed(LogDraft draft, String value) {
        return draft.sealed(KEEPER.publicKey(), "query", value);
    }

    @Override
    public Optional<Long> size() {
        return locked ? Optional.empty() : Optional.of(log.size());
    }

    @Override
    public Optional<LogEntry> entry(long number) throws IOException {
        return log.entry(number);
    }

    @Override
    public String tenant() {
        return "acme";
    }

    TransactionTemplate transactions() {
        return new TransactionTemplate(new DataSourceTransactionManager(database));
    }

    SinkPosition position() {
        return new SinkPosition(jdbc, transactions(), RECEIVER);
    }

    JdbcClient jdbc() {
        return jdbc;
    }

    LogSink sink(Delivery delivery) {
        return sink(delivery, position());
    }

    LogSink sink(Delivery delivery, SinkPosition position) {
        return new LogSink(this, position, delivery, QUICK, clock, RECEIVER);
    }

    static SyslogDelivery syslog(SyslogReceiver receiver, SinkSettings.Tls tls) throws IOException {
        SyslogForm form = new SyslogForm(JSON, "console.example.org", 32473, 8192);
        return new SyslogDelivery(receiver.settings(8192), tls.context(), form, LIMITS);
    }

    HttpsDelivery https(HttpsReceiver receiver, SinkSettings.Tls tls) throws IOException {
        return new HttpsDelivery(
                receiver.settings(null, false), tls.context(), new JsonForm(JSON, false), clock, LIMITS.step());
    }

    /** Sends until everything is acknowledged; the number of failures on the way. */
    static int drain(LogSink sink) throws InterruptedException {
        int failures = 0;
        do {
            sink.step();
            failures += sink.state().failure() == null ? 0 : 1;
        } while (sink.waiting().orElse(0L) > 0);
        return failures;
    }

    /** Numbers of entries in the order of their arrival. */
    static List<Long> numbers(List<String> messages) {
        List<Long> numbers = new ArrayList<>();
        for (String message : messages) {
            Matcher matcher = NUMBER.matcher(message);
            if (!matcher.find()) {
                throw new AssertionError("no number in " + message);
            }
            numbers.add(Long.parseLong(matcher.group(1)));
        }
        return numbers;
    }

    @Override
    public void close() throws IOException {
        log.close();
        database.close();
    }
}
