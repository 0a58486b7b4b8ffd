package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.journal.Journal;
import dev.veilgate.gateway.memory.HeapTurns;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.TestStores;
import dev.veilgate.peks.IndexSchemes;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessResourceFailureException;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class JournaledIngestionTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final Principal TOKEN = new Principal(Kind.TOKEN, "sender", "acme", Set.of(Right.INGEST), Set.of());

    @TempDir
    Path folder;

    private final Database database = TestDatabase.create();
    private final TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());
    private final List<UUID> staged = new CopyOnWriteArrayList<>();
    private final AtomicBoolean databaseIsAway = new AtomicBoolean();
    private final AtomicBoolean diskIsFull = new AtomicBoolean();
    private final Map<UUID, EnvelopeName> deleted = new ConcurrentHashMap<>();
    private Clock clock = Clock.systemUTC();
    private long segmentBytes = 1 << 20;
    /** Run once, when the store is to be committed. */
    private final AtomicReference<@Nullable Runnable> atCommit = new AtomicReference<>();
    /** Instead of what the applier says. */
    private volatile @Nullable Duration stalled;

    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private static final Duration LONG = Duration.ofHours(1);

    private final List<Gateway> started = new ArrayList<>();

    /** Journal, store, applier and ingestion over the test's folder and database. */
    private final class Gateway {
        final Journal journal;
        final EnvelopeStore store;
        final SetAside setAside;
        final Applier applier;
        final JournaledIngestion ingestion;

        Gateway() throws Exception {
            IngestSettings settings = AdmissionTest.settings(100_000);
            journal = Journal.open(folder.resolve("journal"), segmentBytes);
            store = failing(TestStores.open(folder.resolve("index")));
            ArrivalStage stage = batch -> {
                if (databaseIsAway.get()) {
                    throw new DataAccessResourceFailureException("the database is away");
                }
                batch.forEach(applied ->
                        staged.add(applied.arrival().orElseThrow().envelope().id()));
            };
            setAside = new SetAside(folder.resolve("set-aside"));
            applier = new Applier(
                    journal,
                    store,
                    new StageTransaction(database, List.of(stage), "gateway"),
                    IndexSchemes.load(),
                    setAside);
            Room room =
                    new Room(
                            folder,
                            settings,
                            applier::backlogBytes,
                            () -> stalled == null ? applier.stalled() : stalled) {
                        @Override
                        long freeBytes() {
                            return diskIsFull.get() ? 0 : super.freeBytes();
                        }
                    };
            Admission admission = new Admission(
                    TestTenant.tenants(ACME),
                    new OutdatedBlocks(Instant.EPOCH, Optional.empty(), Instant.EPOCH, IndexSchemes.load()),
                    settings,
                    StrangerSettings.DEFAULTS,
                    new Quota(settings, Clock.systemUTC()),
                    recipients -> {},
                    SenderChecks.none(),
                    DeliveredForms.strict(),
                    Clock.systemUTC());
            ingestion = new JournaledIngestion(
                    admission,
                    journal,
                    store,
                    (tenant, sender, id) ->
                            Optional.ofNullable(deleted.get(id)).stream().toList(),
                    applier,
                    room,
                    new HeapTurns(HeapTurns.of(512 << 20), Duration.ofMinutes(2), clock),
                    clock,
                    new IngestCounters(new SimpleMeterRegistry()));
            applier.start();
            ingestion.start();
            started.add(this);
        }

        Receipt submit(SealedEnvelope sealed) {
            return future(sealed).join();
        }

        CompletableFuture<Receipt> future(SealedEnvelope sealed) {
            return ingestion.submit(new Submission.OfEnvelope(TOKEN, sealed.bytes()));
        }

        void stop() throws Exception {
            started.remove(this);
            ingestion.stop();
            applier.stop();
            store.close();
            journal.close();
        }
    }

    /** The store, whose refresh and commit fail as long as the test says so. */
    private EnvelopeStore failing(EnvelopeStore real) {
        return (EnvelopeStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {EnvelopeStore.class}, (proxy, method, arguments) -> {
                    if (failing.contains(method.getName())) {
                        throw new IOException("not now");
                    }
                    Runnable once = method.getName().equals("commit") ? atCommit.getAndSet(null) : null;
                    if (once != null) {
                        once.run();
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @AfterEach
    void stop() throws Exception {
        databaseIsAway.set(false);
        failing.clear();
        for (Gateway gateway : List.copyOf(started)) {
            gateway.stop();
        }
    }

    private static Refusal refusal(CompletableFuture<Receipt> future) {
        try {
            return future.thenApply(receipt -> (Refusal) null).join();
        } catch (CompletionException e) {
            return ((RefusedException) e.getCause()).refusal();
        }
    }

    @Test
    void whatIsAcknowledgedIsStoredOnceByteForByte() throws Exception {
        Gateway gateway = new Gateway();
        SealedEnvelope sealed = press.seal("pump overheated");
        assertThat(gateway.submit(sealed).repeated()).isFalse();
        assertThat(gateway.submit(sealed).repeated()).isTrue();
        gateway.stop();

        Gateway again = new Gateway();
        assertThat(again.submit(sealed).repeated()).isTrue();
        assertThat(again.store
                        .find("acme", sealed.id())
                        .orElseThrow()
                        .envelope()
                        .bytes())
                .isEqualTo(sealed.bytes());
        assertThat(staged).containsExactly(sealed.id());
        assertThat(again.store.holdings().get("acme").envelopes()).isEqualTo(1);
    }

    @Test
    void simultaneousCopiesAreStoredOnce() throws Exception {
        Gateway gateway = new Gateway();
        SealedEnvelope sealed = press.seal("pump overheated");
        List<CompletableFuture<Receipt>> copies = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            copies.add(CompletableFuture.supplyAsync(
                    () -> gateway.submit(sealed), Thread::startVirtualThread)); // the pool of two cores has one thread
        }
        long taken = copies.stream()
                .map(CompletableFuture::join)
                .filter(receipt -> !receipt.repeated())
                .count();
        assertThat(taken).isEqualTo(1);
        gateway.stop();
        assertThat(staged).hasSize(1);
    }

    @Test
    void refusesAnotherEnvelopeUnderAnIdThatIsTaken() throws Exception {
        Gateway gateway = new Gateway();
        SealedEnvelope[] twins = ACME.sameId("press-1", "one text", "another text");
        assertThat(twins[0].id()).isEqualTo(twins[1].id());
        gateway.submit(twins[0]);
        assertThat(refusal(gateway.future(twins[1]))).isEqualTo(Refusal.CONFLICT);
        gateway.stop();
        assertThat(refusal(new Gateway().future(twins[1]))).isEqualTo(Refusal.CONFLICT);
    }

    @Test
    void aCrashLosesNothingThatWasAcknowledged() throws Exception {
        List<SealedEnvelope> sealed = new ArrayList<>();
        Gateway gateway = new Gateway();
        databaseIsAway.set(true); // nothing gets beyond the journal and the store's memory
        for (int i = 0; i < 20; i++) {
            sealed.add(press.seal("line " + i));
        }
        sealed.stream().map(gateway::future).toList().forEach(CompletableFuture::join);
        assertThat(staged).isEmpty();
        assertThat(gateway.applier.backlogBytes()).isPositive();
        Path copy = folder.resolve("copy");
        copyFolder(folder.resolve("journal"), copy);

        databaseIsAway.set(false);
        try (Journal journal = Journal.open(copy, 1 << 20)) {
            List<UUID> durable = new ArrayList<>();
            journal.replay(0, (next, payload) -> {
                try {
                    durable.add(Envelope.decode(
                                    Objects.requireNonNull(Entry.decode(payload).envelope()))
                            .id());
                } catch (MalformedEncodingException e) {
                    throw new AssertionError(e);
                }
            });
            assertThat(durable)
                    .containsExactlyElementsOf(
                            sealed.stream().map(SealedEnvelope::id).toList());
        }
        await().until(() -> gateway.applier.trouble().isEmpty()); // in it, a stop leaves the rest to the next start
        gateway.stop();
        assertThat(staged)
                .containsExactlyElementsOf(
                        sealed.stream().map(SealedEnvelope::id).toList());
    }

    private static void copyFolder(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (var files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    @Test
    void goesOnWhenTheDatabaseIsBack() throws Exception {
        Gateway gateway = new Gateway();
        databaseIsAway.set(true);
        SealedEnvelope sealed = press.seal("while it is away");
        gateway.submit(sealed);
        while (gateway.applier.trouble().isEmpty()) {
            Thread.onSpinWait();
        }
        databaseIsAway.set(false);
        while (gateway.applier.backlogBytes() > 0) {
            Thread.onSpinWait();
        }
        assertThat(staged).containsExactly(sealed.id());
        assertThat(gateway.applier.trouble()).isEmpty();
        assertThat(gateway.setAside.count()).isZero();
        assertThat(gateway.store.find("acme", sealed.id())).isPresent();
    }

    @Test
    void searchesFindWhatIsStoredWhileTheDatabaseIsAway() throws Exception {
        Gateway gateway = new Gateway();
        gateway.submit(press.seal("before"));
        await().until(() -> staged.size() == 1); // else the other would wait behind it
        databaseIsAway.set(true);
        gateway.submit(press.seal("while it is away"));
        await().until(() -> Optional.ofNullable(gateway.store.holdings().get("acme"))
                        .map(EnvelopeStore.Holdings::envelopes)
                        .orElse(0L)
                == 2);
        assertThat(staged).hasSize(1);
        assertThat(gateway.applier.backlogBytes()).isPositive();
    }

    @Test
    void whatIsAcknowledgedIsVisibleOnceItIsAwaited() throws Exception {
        Gateway gateway = new Gateway();
        for (long sent = 1; sent <= 5; sent++) {
            gateway.submit(press.seal("line " + sent));
            assertThat(gateway.applier.await("acme", LONG)).isTrue();
            assertThat(gateway.store.holdings().get("acme").envelopes()).isEqualTo(sent);
        }
        gateway.stop();
        Gateway again = new Gateway();
        assertThat(again.applier.await("acme", Duration.ZERO)).isTrue();
    }

    @Test
    @Timeout(60)
    void nobodyWaitsForADatabaseThatIsAway() throws Exception {
        Gateway gateway = new Gateway();
        databaseIsAway.set(true);
        gateway.submit(press.seal("first"));
        await().until(() -> gateway.applier.trouble().isPresent());
        gateway.submit(press.seal("behind it"));
        assertThat(gateway.applier.await("acme", LONG)).isFalse();
        databaseIsAway.set(false);
        await().until(() -> gateway.applier.backlogBytes() == 0);
        assertThat(gateway.applier.await("acme", LONG)).isTrue();
        assertThat(gateway.store.holdings().get("acme").envelopes()).isEqualTo(2);
    }

    @Test
    void whatWasInTroubleIsWellAgainWithoutAnotherArrival() throws Exception {
        Gateway gateway = new Gateway();
        failing.add("refresh");
        gateway.submit(press.seal("cannot be shown yet"));
        await().until(() -> gateway.applier.trouble().isPresent());
        assertThat(gateway.applier.await("acme", LONG)).isFalse();
        failing.clear();
        await().until(() -> gateway.applier.trouble().isEmpty());
        assertThat(gateway.applier.await("acme", LONG)).isTrue();
        assertThat(gateway.store.holdings().get("acme").envelopes()).isOne();
    }

    @Test
    void aStoreThatCannotBeSavedIsSearchedAllTheSame() throws Exception {
        Gateway gateway = new Gateway();
        failing.add("commit");
        gateway.submit(press.seal("not saved"));
        await().until(() -> gateway.applier.trouble().isPresent()); // when it is saved next
        gateway.submit(press.seal("not saved either"));
        assertThat(gateway.applier.await("acme", LONG)).isTrue();
        assertThat(gateway.store.holdings().get("acme").envelopes()).isEqualTo(2);
        assertThat(gateway.applier.trouble())
                .hasValueSatisfying(what -> assertThat(what).contains("saving"));
        failing.clear();
        await().until(() -> gateway.applier.trouble().isEmpty());
    }

    @Test
    void nobodyWaitsForWhatOthersSend() throws Exception {
        Gateway gateway = new Gateway();
        failing.add("refresh");
        gateway.submit(press.seal("of acme"));
        assertThat(gateway.applier.await("globex", Duration.ZERO)).isTrue();
        assertThat(gateway.applier.await("acme", Duration.ZERO)).isFalse();
    }

    @Test
    void aFullDiskRefusesUntilThereIsRoomAgain() throws Exception {
        Gateway gateway = new Gateway();
        diskIsFull.set(true);
        assertThat(refusal(gateway.future(press.seal("no room")))).isEqualTo(Refusal.STORAGE_FULL);
        diskIsFull.set(false);
        SealedEnvelope sealed = press.seal("room again");
        while (refusal(gateway.future(sealed)) != null) {
            Thread.onSpinWait();
        }
        assertThat(gateway.submit(sealed).repeated()).isTrue();
    }

    @Test
    void whatRetentionDeletedDoesNotComeBack() throws Exception {
        SealedEnvelope[] twins = ACME.sameId("press-1", "one text", "another text");
        clock = Clock.offset(clock, Duration.ofDays(2));
        deleted.put(twins[0].id(), EnvelopeName.of(Envelope.decode(twins[0].bytes())));
        Gateway gateway = new Gateway();
        assertThat(gateway.submit(twins[0]).repeated()).isTrue();
        assertThat(refusal(gateway.future(twins[1]))).isEqualTo(Refusal.CONFLICT);
        gateway.stop();
        assertThat(staged).isEmpty();
    }

    private void putBack(long position) {
        database.jdbc()
                .sql("UPDATE journal_position SET position = ?")
                .param(position)
                .update();
    }

    private long position() {
        return database.jdbc()
                .sql("SELECT position FROM journal_position")
                .query(Long.class)
                .single();
    }

    @Test
    void givesAgainWhatTheDatabaseLost() throws Exception {
        Gateway gateway = new Gateway();
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ids.add(submitAndAwait(gateway));
        }
        long third = position();
        ids.add(submitAndAwait(gateway));
        ids.add(submitAndAwait(gateway));
        staged.subList(3, 5).clear(); // as if these transactions had never been
        putBack(third);
        ids.add(submitAndAwait(gateway));
        assertThat(staged).containsExactlyElementsOf(ids);
        assertThat(gateway.applier.timesBehind()).isOne();
        assertThat(gateway.applier.databaseTrouble()).isEmpty();
    }

    @Test
    void givesAgainWhatTheDatabaseLostThoughNothingArrives() throws Exception {
        Gateway gateway = new Gateway();
        List<UUID> ids = List.of(submitAndAwait(gateway), submitAndAwait(gateway));
        databaseIsAway.set(true); // else what follows may be over before it is looked at
        staged.clear();
        putBack(0);
        assertThat(gateway.applier.databaseTrouble()).isPresent();
        databaseIsAway.set(false);
        await().until(() -> staged.size() == 2);
        assertThat(staged).containsExactlyElementsOf(ids);
        await().until(() -> gateway.applier.databaseTrouble().isEmpty());
        assertThat(gateway.applier.backlogBytes()).isZero();
    }

    /** The journal goes only as far as the database says that it is, after it was synchronised. */
    @Test
    void theJournalKeepsWhatTheDatabaseLosesWhileItIsSaved() throws Exception {
        segmentBytes = 1000; // about one for each
        Gateway gateway = new Gateway();
        List<UUID> ids = new ArrayList<>();
        ids.add(submitAndAwait(gateway));
        long first = position();
        failing.add("commit"); // else it is saved meanwhile, and the journal's beginning goes
        for (int i = 0; i < 4; i++) {
            ids.add(submitAndAwait(gateway));
        }
        assertThat(gateway.journal.start()).isZero();
        atCommit.set(() -> {
            staged.subList(1, staged.size()).clear();
            putBack(first);
        });
        failing.clear();
        await().until(() -> gateway.applier.timesBehind() == 1);
        await().until(() -> staged.size() == ids.size());
        assertThat(staged).containsExactlyElementsOf(ids);
        assertThat(gateway.journal.start()).isPositive(); // the first one went
        await().until(() -> gateway.applier.trouble().isEmpty());
    }

    private UUID submitAndAwait(Gateway gateway) {
        SealedEnvelope sealed = press.seal("line");
        gateway.submit(sealed);
        await().until(() -> gateway.applier.backlogBytes() == 0);
        return sealed.id();
    }

    /** A transaction whose commit failed for who waited for it, and not for the database. */
    @Test
    void doesNotRepeatWhatTheDatabaseHas() throws Exception {
        Gateway gateway = new Gateway();
        databaseIsAway.set(true);
        gateway.submit(press.seal("committed unseen"));
        await().until(() -> gateway.applier.trouble().isPresent());
        putBack(gateway.journal.end());
        databaseIsAway.set(false);
        await().until(() -> gateway.applier.backlogBytes() == 0);
        assertThat(staged).isEmpty();
        UUID next = submitAndAwait(gateway);
        assertThat(staged).containsExactly(next);
    }

    /** Passing it over would lose what is between. */
    @Test
    void aDatabaseThatTheJournalDoesNotReachIsTrouble() throws Exception {
        Gateway gateway = new Gateway();
        submitAndAwait(gateway);
        long reached = position();
        for (long strange : List.of(-1L, gateway.journal.end() + 1_000_000)) {
            putBack(strange);
            gateway.submit(press.seal("behind it"));
            await().until(() -> gateway.applier.trouble().isPresent());
            assertThat(gateway.applier.backlogBytes()).isPositive();
            putBack(reached);
            await().until(() -> gateway.applier.backlogBytes() == 0);
            reached = position();
        }
        assertThat(staged).hasSize(3);
    }

    @Test
    void doesNotStartWithADatabaseThatIsAheadOfTheJournal() throws Exception {
        Gateway gateway = new Gateway();
        submitAndAwait(gateway);
        gateway.stop();
        putBack(position() + 1);
        assertThatThrownBy(Gateway::new).hasMessageContaining("restored without the others");
    }

    @Test
    void takesNothingMoreWhenNothingIsAppliedForLong() throws Exception {
        Gateway gateway = new Gateway();
        databaseIsAway.set(true);
        SealedEnvelope waiting = press.seal("taken, and not applied");
        gateway.submit(waiting);
        await().until(() -> gateway.applier.stalled().compareTo(Duration.ofSeconds(1)) > 0);
        assertThat(gateway.applier.databaseTrouble()).isPresent();
        assertThat(refusal(gateway.future(press.seal("still taken")))).isNull();
        stalled = gateway.applier.stalled().plusMinutes(5);
        assertThat(refusal(gateway.future(press.seal("too late")))).isEqualTo(Refusal.UNAVAILABLE);
        stalled = null;
        databaseIsAway.set(false);
        await().until(() -> gateway.applier.backlogBytes() == 0);
        assertThat(gateway.applier.stalled()).isLessThan(Duration.ofMinutes(2));
        assertThat(refusal(gateway.future(press.seal("as before")))).isNull();
    }

    @Test
    void takesNothingAfterItStopped() throws Exception {
        Gateway gateway = new Gateway();
        gateway.stop();
        assertThatThrownBy(() -> gateway.submit(press.seal("late"))).hasRootCauseInstanceOf(RefusedException.class);
    }
}
