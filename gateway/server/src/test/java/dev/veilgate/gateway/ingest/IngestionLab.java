package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.journal.Journal;
import dev.veilgate.gateway.memory.HeapTurns;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.TestStores;
import dev.veilgate.peks.IndexSchemes;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** Journal, store, stages and ingestion of one tenant, as a gateway has them, over a folder and a database; running. */
final class IngestionLab implements AutoCloseable {
    final Journal journal;
    final EnvelopeStore store;
    final SetAside setAside;
    final Applier applier;
    private final JournaledIngestion ingestion;
    private final Principal token;

    IngestionLab(
            Path folder,
            Database database,
            TestTenant tenant,
            UnaryOperator<EnvelopeStore> around,
            List<ArrivalStage> stages)
            throws Exception {
        this(folder, database, tenant, around, stages, 64);
    }

    /** @param segmentMegabytes of the journal: what the other two are durable with goes segment by segment */
    IngestionLab(
            Path folder,
            Database database,
            TestTenant tenant,
            UnaryOperator<EnvelopeStore> around,
            List<ArrivalStage> stages,
            int segmentMegabytes)
            throws Exception {
        IngestSettings settings = new IngestSettings(
                DataSize.ofMegabytes(16),
                1024,
                Duration.ofHours(1),
                100_000,
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(1),
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(segmentMegabytes),
                Duration.ofMinutes(5),
                Duration.ofDays(30));
        Clock clock = Clock.systemUTC();
        IndexSchemes schemes = IndexSchemes.load();
        token = new Principal(Kind.TOKEN, "sender", tenant.keys().tenant(), Set.of(Right.INGEST), Set.of());
        journal = Journal.open(folder.resolve("journal"), settings.segmentSize().toBytes());
        store = around.apply(TestStores.open(folder.resolve("index")));
        setAside = new SetAside(folder.resolve("set-aside"));
        applier = new Applier(journal, store, new StageTransaction(database, stages, "gateway"), schemes, setAside);
        ingestion = new JournaledIngestion(
                new Admission(
                        TestTenant.tenants(tenant),
                        new OutdatedBlocks(Instant.EPOCH, Optional.empty(), Instant.EPOCH, schemes),
                        settings,
                        StrangerSettings.DEFAULTS,
                        new Quota(settings, clock),
                        who -> {},
                        SenderChecks.none(),
                        DeliveredForms.strict(),
                        clock),
                journal,
                store,
                (name, sender, id) -> List.of(),
                applier,
                new Room(folder, settings, applier::backlogBytes, applier::stalled),
                new HeapTurns(HeapTurns.of(512 << 20), Duration.ofMinutes(2), clock),
                clock,
                new IngestCounters(new SimpleMeterRegistry()));
        try {
            applier.start();
        } catch (Exception e) {
            store.close();
            journal.close();
            throw e;
        }
        ingestion.start();
    }

    CompletableFuture<Receipt> envelope(byte[] envelope) {
        return ingestion.submit(new Submission.OfEnvelope(token, envelope));
    }

    CompletableFuture<Receipt> mail(String from, List<String> to, byte[] message) {
        return ingestion.submit(new Submission.OfMail(Optional.empty(), from, to, message));
    }

    /** Null for what was taken. */
    static @Nullable Refusal refusal(CompletableFuture<Receipt> submitted) {
        try {
            submitted.join();
            return null;
        } catch (CompletionException e) {
            return ((RefusedException) e.getCause()).refusal();
        }
    }

    /** Until all that was taken is applied or set aside. */
    void settle() {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (applier.backlogBytes() > 0) {
            if (System.nanoTime() > end) {
                throw new AssertionError("it does not go on: " + applier.trouble());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            ingestion.stop();
            applier.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        store.close();
        journal.close();
    }
}
