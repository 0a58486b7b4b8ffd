package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.journal.Journal;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.EnvelopeStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessResourceFailureException;

/** An entry that can never be applied keeps nothing back, is not lost, and is applied once when it can be. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SetAsideTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final String POISON = "poison@example.org";
    private static final byte[] MESSAGE =
            "From: a@example.org\r\nSubject: x\r\n\r\nx\r\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    Path folder;

    private final Database database = TestDatabase.create();
    private final AtomicBoolean poisonous = new AtomicBoolean(true);
    private final AtomicBoolean databaseIsAway = new AtomicBoolean();
    private final AtomicBoolean databaseTurnsOlder = new AtomicBoolean();
    private final Set<UUID> refusedByStore = ConcurrentHashMap.newKeySet();
    private @Nullable IngestionLab lab;

    /** Notes in the transaction that it ran, and then fails at poison: at the database, as what nobody thought of would. */
    private void stage(List<Applied> batch) {
        if (databaseIsAway.get()) {
            throw new DataAccessResourceFailureException("the database is away");
        }
        for (Applied applied : batch) {
            String what = applied.arrival()
                    .map(arrival -> arrival.envelope().id().toString())
                    .orElse(applied.reversePath());
            note(what);
            if (what.equals(POISON) && poisonous.get()) {
                note("x".repeat(400));
            }
        }
    }

    private void note(String what) {
        database.jdbc()
                .sql("INSERT INTO outbound_mail (id, reverse_path, created) VALUES (?, ?, NOW())")
                .params(UUID.randomUUID(), what)
                .update();
    }

    private long runs(String what) {
        return database.jdbc()
                .sql("SELECT COUNT(*) FROM outbound_mail WHERE reverse_path = ?")
                .param(what)
                .query(Long.class)
                .single();
    }

    private EnvelopeStore around(EnvelopeStore store) {
        return (EnvelopeStore) Proxy.newProxyInstance(
                EnvelopeStore.class.getClassLoader(), new Class<?>[] {EnvelopeStore.class}, (proxy, method, given) -> {
                    if (method.getName().equals("add")
                            && ((List<?>) given[0]).stream().anyMatch(this::isRefused)) {
                        throw new IllegalArgumentException("Document contains at least one immense term");
                    }
                    if (method.getName().equals("commit") && databaseTurnsOlder.get()) {
                        forgetWhatWasApplied();
                    }
                    try {
                        return method.invoke(store, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** What a database does that closes itself before it is synchronised. */
    private void forgetWhatWasApplied() {
        database.jdbc().sql("DELETE FROM set_aside_applied").update();
        database.jdbc()
                .sql("DELETE FROM outbound_mail WHERE reverse_path = ?")
                .param(POISON)
                .update();
    }

    private boolean isRefused(Object arrival) {
        return refusedByStore.contains(((Arrival) arrival).envelope().id());
    }

    private IngestionLab start() throws Exception {
        IngestionLab started = new IngestionLab(folder, database, ACME, this::around, List.of(this::stage));
        lab = started;
        return started;
    }

    private IngestionLab restart() throws Exception {
        stop();
        return start();
    }

    @AfterEach
    void stop() throws Exception {
        IngestionLab running = lab;
        lab = null;
        if (running != null) {
            running.close();
        }
    }

    private static void mail(IngestionLab lab, String from) {
        lab.mail(from, List.of("ada@example.org"), MESSAGE).join();
    }

    private List<Path> files() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("set-aside"))) {
            return files.toList();
        }
    }

    /** Takes mails while the database is away, so that they are applied as one batch. */
    private void mailTogether(IngestionLab gateway, String... from) {
        databaseIsAway.set(true);
        for (String each : from) {
            mail(gateway, each);
        }
        databaseIsAway.set(false);
    }

    @Test
    void whatIsBehindGoesOn() throws Exception {
        IngestionLab gateway = start();
        mailTogether(gateway, "a@example.org", POISON, "b@example.org");
        mail(gateway, "c@example.org");
        gateway.settle();
        for (String from : List.of("a@example.org", "b@example.org", "c@example.org")) {
            assertThat(runs(from)).as(from).isEqualTo(1);
        }
        assertThat(runs(POISON)).isZero();
        assertThat(gateway.applier.trouble()).isEmpty();
        assertThat(gateway.setAside.count()).isEqualTo(1);
        Entry kept = Entry.decode(Files.readAllBytes(files().getFirst()));
        assertThat(kept.reversePath()).isEqualTo(POISON);
        assertThat(kept.message()).isEqualTo(MESSAGE);
    }

    @Test
    void isTriedAtEachStartAndAppliedOnce() throws Exception {
        IngestionLab gateway = start();
        mail(gateway, POISON);
        mail(gateway, "b@example.org");
        gateway.settle();
        gateway = restart();
        assertThat(gateway.setAside.count()).isEqualTo(1);
        assertThat(runs(POISON)).isZero();

        poisonous.set(false); // a later version
        gateway = restart();
        assertThat(gateway.setAside.count()).isZero();
        assertThat(files()).isEmpty();
        mail(gateway, "c@example.org");
        gateway.settle();
        restart();
        for (String from : List.of(POISON, "b@example.org", "c@example.org")) {
            assertThat(runs(from)).as(from).isEqualTo(1);
        }
    }

    /** The file is there, the positions are before the entry. */
    @Test
    void aKillAfterTheFileWasWrittenDoublesNothing() throws Exception {
        IngestionLab gateway = start();
        databaseIsAway.set(true);
        mail(gateway, "a@example.org");
        mail(gateway, POISON);
        mail(gateway, "b@example.org");
        gateway.journal.replay(0, (next, payload) -> {
            if (new String(payload, StandardCharsets.ISO_8859_1).contains(POISON)) {
                new SetAside(folder.resolve("set-aside")).put(next, payload);
            }
        });
        stop();
        databaseIsAway.set(false);
        assertThat(start().setAside.count()).isEqualTo(1);
        assertThat(files()).hasSize(1);
        assertThat(runs(POISON)).isZero();
        poisonous.set(false);
        assertThat(restart().setAside.count()).isZero();
        for (String from : List.of("a@example.org", POISON, "b@example.org")) {
            assertThat(runs(from)).as(from).isEqualTo(1);
        }
    }

    /** The transaction is committed, the file is still there. */
    @Test
    void aKillBeforeTheFileIsGoneDoublesNothing() throws Exception {
        IngestionLab gateway = start();
        mail(gateway, POISON);
        gateway.settle();
        Path file = files().getFirst();
        byte[] payload = Files.readAllBytes(file);
        poisonous.set(false);
        restart();
        stop();
        Files.write(file, payload);
        assertThat(start().setAside.count()).isZero();
        assertThat(files()).isEmpty();
        assertThat(runs(POISON)).isEqualTo(1);
        restart();
        assertThat(database.jdbc()
                        .sql("SELECT COUNT(*) FROM set_aside_applied")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void aDatabaseThatForgetsItLosesNothing() throws Exception {
        IngestionLab gateway = start();
        mail(gateway, POISON);
        gateway.settle();
        poisonous.set(false);
        databaseTurnsOlder.set(true);
        assertThat(restart().setAside.count()).isEqualTo(1);
        assertThat(runs(POISON)).isZero();
        databaseTurnsOlder.set(false);
        assertThat(restart().setAside.count()).isZero();
        assertThat(runs(POISON)).isEqualTo(1);
    }

    @Test
    void theSameHoldsForWhatTheStoreRefuses() throws Exception {
        IngestionLab gateway = start();
        TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
        SealedEnvelope before = press.seal("before");
        SealedEnvelope poison = press.seal("poison");
        SealedEnvelope behind = press.seal("behind");
        refusedByStore.add(poison.id());
        databaseIsAway.set(true);
        for (SealedEnvelope each : List.of(before, poison, behind)) {
            gateway.envelope(each.bytes()).join();
        }
        databaseIsAway.set(false);
        gateway.settle();
        assertThat(gateway.store.find("acme", behind.id())).isPresent();
        assertThat(gateway.store.find("acme", poison.id())).isEmpty();
        assertThat(gateway.setAside.count()).isEqualTo(1);

        refusedByStore.clear();
        gateway = restart();
        assertThat(gateway.setAside.count()).isZero();
        assertThat(gateway.store
                        .find("acme", poison.id())
                        .orElseThrow()
                        .envelope()
                        .bytes())
                .isEqualTo(poison.bytes());
        assertThat(gateway.store.holdings().get("acme").envelopes()).isEqualTo(3);
        for (SealedEnvelope each : List.of(before, poison, behind)) {
            assertThat(runs(each.id().toString())).isEqualTo(1);
        }
    }

    @Test
    void soDoesWhatThisVersionCannotReadInTheJournal() throws Exception {
        Entry unreadable = new Entry(Instant.EPOCH, new byte[] {1, 2, 3}, null, "", List.of());
        Entry readable = new Entry(Instant.EPOCH, null, MESSAGE, "a@example.org", List.of("ada@example.org"));
        try (Journal journal = Journal.open(folder.resolve("journal"), 1 << 20)) {
            journal.append(List.of(unreadable.encode(), readable.encode()));
        }
        assertThat(start().setAside.count()).isEqualTo(1);
        assertThat(runs("a@example.org")).isEqualTo(1);
        assertThat(restart().setAside.count()).isEqualTo(1);
    }

    @Test
    void manyTogetherHoldTheOthersUpForSecondsOnly() throws Exception {
        IngestionLab gateway = start();
        mailTogether(gateway, POISON, "a@example.org", POISON, POISON, "b@example.org");
        gateway.settle();
        assertThat(gateway.setAside.count()).isEqualTo(3);
        assertThat(new HashSet<>(gateway.setAside.positions())).hasSize(3);
        assertThat(runs("a@example.org") + runs("b@example.org")).isEqualTo(2);
    }
}
