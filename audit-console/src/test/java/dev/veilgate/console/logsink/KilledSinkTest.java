package dev.veilgate.console.logsink;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.veilgate.application.database.ApplicationDatabase;
import dev.veilgate.console.logsink.SinkPosition.Place;
import dev.veilgate.issuing.LogEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Senders that are killed at any of their steps, over receivers that fail as well. */
@Timeout(600)
class KilledSinkTest {
    private static final int RUNS = Integer.getInteger("veilgate.sink.runs", 40);
    private static final int ENTRIES = 40;

    @TempDir
    Path folder;

    private SinkBench bench;
    private SinkCertificates certificates;

    @BeforeEach
    void begin() throws Exception {
        bench = new SinkBench(folder);
        certificates = new SinkCertificates(folder, "receiver");
        bench.append(ENTRIES);
    }

    @AfterEach
    void end() throws IOException {
        bench.close();
    }

    /** Death of a sender, which nothing in it catches. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;
    }

    /** Steps that are left to live. */
    private static final class Life {
        private int left;

        void step() {
            if (left-- == 0) {
                throw new Killed();
            }
        }
    }

    private static final class MortalPosition extends SinkPosition {
        private final Life life;

        MortalPosition(JdbcClient jdbc, TransactionTemplate transactions, String receiver, Life life) {
            super(jdbc, transactions, receiver);
            this.life = life;
        }

        @Override
        void begin(Place before, long sending) {
            life.step();
            super.begin(before, sending);
            life.step();
        }

        @Override
        void advance(Place before, Mark acknowledged) {
            life.step();
            super.advance(before, acknowledged);
            life.step();
        }
    }

    private record MortalDelivery(Delivery delivery, Life life) implements Delivery {
        @Override
        public EntryForm form() {
            return delivery.form();
        }

        @Override
        public void send(Batch batch) throws IOException, InterruptedException {
            life.step();
            delivery.send(batch);
            life.step();
        }

        @Override
        public void close() {
            delivery.close();
        }
    }

    /** The log as it grows, from the receiver's view of each run. */
    private final class GrowingLog implements SinkSource {
        private long size;

        @Override
        public Optional<Long> size() {
            return Optional.of(size);
        }

        @Override
        public Optional<LogEntry> entry(long number) throws IOException {
            return bench.entry(number);
        }

        @Override
        public String tenant() {
            return bench.tenant();
        }
    }

    /** Makes a connection to a receiver. */
    @FunctionalInterface
    private interface Connecting {
        Delivery connect() throws Exception;
    }

    private int run(String name, Random random, Connecting connecting) throws Exception {
        GrowingLog log = new GrowingLog();
        Life life = new Life();
        int deaths = 0;
        while (true) {
            life.left = random.nextInt(14);
            Delivery delivery = connecting.connect();
            try {
                LogSink sink = new LogSink(
                        log,
                        new MortalPosition(bench.jdbc(), bench.transactions(), name, life),
                        new MortalDelivery(delivery, life),
                        LogSink.BACKOFF,
                        bench.clock,
                        name);
                while (log.size < ENTRIES || sink.waiting().orElse(0L) > 0) {
                    log.size = Math.min(ENTRIES, log.size + random.nextInt(8));
                    sink.step();
                }
                sink.step();
                if (sink.state().sent() == ENTRIES) {
                    return deaths;
                }
            } catch (Killed e) {
                deaths++;
            } finally {
                delivery.close();
            }
        }
    }

    private static final List<Long> ALL =
            LongStream.rangeClosed(1, ENTRIES).boxed().toList();

    @Test
    void syslogHasEachEntryOnceWhenRepeatsAreDroppedByNumber() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int deaths = 0;
        int repeats = 0;
        for (int run = 0; run < RUNS; run++) {
            try (SyslogReceiver receiver = new SyslogReceiver(certificates.server())) {
                for (int i = 0; i < 6; i++) {
                    SyslogReceiver.Fault[] faults = {
                        SyslogReceiver.Fault.NONE,
                        SyslogReceiver.Fault.NONE,
                        SyslogReceiver.Fault.RESET,
                        SyslogReceiver.Fault.KILLED,
                        SyslogReceiver.Fault.ENDS_EARLY
                    };
                    receiver.fail(faults[random.nextInt(faults.length)]);
                }
                deaths += run("syslog " + run, random, () -> SinkBench.syslog(receiver, certificates.trusted()));
                List<Long> arrived = SinkBench.numbers(receiver.messages());
                assertThat(arrived.stream().distinct())
                        .as("run %d of seed %d: %s", run, seed, receiver.history())
                        .containsExactlyElementsOf(ALL);
                repeats += arrived.size() - ENTRIES;
            }
        }
        assertThat(deaths).as("of seed %d", seed).isGreaterThan(RUNS);
        assertThat(repeats).as("of seed %d", seed).isPositive();
    }

    @Test
    void httpsHasEachEntryOnceWhenRepeatsAreDroppedByTheKey() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int deaths = 0;
        for (int run = 0; run < RUNS; run++) {
            try (HttpsReceiver receiver = new HttpsReceiver(certificates.server())) {
                for (int i = 0; i < 4; i++) {
                    receiver.fail(
                            random.nextBoolean() ? HttpsReceiver.Fault.ANSWER_LOST : HttpsReceiver.Fault.UNAVAILABLE);
                }
                deaths += run("https " + run, random, () -> bench.https(receiver, certificates.trusted()));
                assertThat(SinkBench.numbers(receiver.lines()))
                        .as("run %d of seed %d", run, seed)
                        .isEqualTo(ALL);
            }
        }
        assertThat(deaths).as("of seed %d", seed).isGreaterThan(RUNS);
    }

    /** The file as a console leaves it that is killed as soon as the batch is begun. */
    @Test
    void aBatchThatIsBegunIsOnTheDisk() throws Exception {
        SinkPosition position = bench.position();
        position.begin(position.read(), 17);
        Path copy = Files.createDirectories(folder.resolve("killed/database"));
        try (var files = Files.list(folder.resolve("data/database"))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".mv.db")).toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        try (HikariDataSource killed = ApplicationDatabase.open(
                new ApplicationDatabase.Location(null, null, null), folder.resolve("killed"), "console", 2)) {
            TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(killed));
            Place found = new SinkPosition(JdbcClient.create(killed), transactions, SinkBench.RECEIVER).read();
            assertThat(found.sending()).isEqualTo(17);
        }
    }
}
