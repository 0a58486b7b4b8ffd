package dev.veilgate.gateway.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.TestClock;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.retention.StoredChecks.State;
import dev.veilgate.gateway.settings.GatewayId;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.StoredBlock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an older version took leaves the store if this version finds it forged: kept as a file, with a tombstone, named in the status. */
class StoreRecheckTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final int A_AT = 5;
    private static final int PACKED_BYTES = 2048 * 29 / 8;
    private static final int PHASES_AT = 4;

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock();
    private final RetentionLedger ledger = new RetentionLedger(
            TestDatabase.create(), new GatewayId(UUID.randomUUID().toString()));
    private EnvelopeStore store;
    private long position;

    @BeforeEach
    void open() throws IOException {
        store = EnvelopeStore.embedded(folder.resolve("index"), Arrivals.SCHEMES, 0, 1);
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private StoreRecheck recheck() throws IOException {
        RetentionSettings settings = new RetentionSettings(Duration.ofHours(1), List.of());
        Retention retention = new Retention(store, ledger, settings, clock, new SimpleMeterRegistry());
        return new StoreRecheck(folder.resolve("forged"), store, Arrivals.SCHEMES, retention);
    }

    private Envelope add(Arrival arrival) throws IOException {
        store.add(List.of(arrival), ++position);
        store.refresh();
        return arrival.envelope();
    }

    private Envelope addHonest() throws IOException {
        return add(Arrivals.of(
                ACME.sender("press-1", clock).seal("pump overheated").bytes(), clock.instant()));
    }

    /** An envelope whose A is 0, signed as it should be, in the form in which a version without the check stored it. */
    private Envelope addForged() throws IOException, MalformedEncodingException {
        List<IndexBlock> honest = new ArrayList<>();
        TestTenant.Sender liar = ACME.liar("press-1", clock, ACME, block -> {
            honest.add(block);
            byte[] payload = block.payload();
            Arrays.fill(payload, A_AT, A_AT + PACKED_BYTES, (byte) 0);
            return new IndexBlock(
                    block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), payload);
        });
        Envelope envelope = Envelope.decode(liar.seal("pump overheated").bytes());
        List<Optional<StoredBlock>> blocks = new ArrayList<>();
        for (IndexBlock block : honest) {
            StoredBlock stored = Arrivals.SCHEMES.byId(block.scheme()).admit(block, envelope.context(), key -> true);
            ByteBuffer hot = ByteBuffer.wrap(stored.hot()).order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < 2048; i++) {
                hot.putInt(PHASES_AT + 4 * i, 0);
            }
            blocks.add(Optional.of(stored));
        }
        return add(new Arrival(envelope, blocks, null, clock.instant()));
    }

    @Test
    void forgedEnvelopesAreSetAsideAndNamedAndOthersStay() throws Exception {
        Envelope before = addHonest();
        Envelope forged = addForged();
        Envelope after = addHonest();
        StoreRecheck recheck = recheck();
        assertThat(recheck.state()).isEqualTo(State.WAITING);
        recheck.run(() -> false);
        assertThat(recheck.state()).isEqualTo(State.DONE);
        assertThat(recheck.checked()).isEqualTo(recheck.of()).isEqualTo(3);
        assertThat(store.find("acme", forged.id())).isEmpty();
        assertThat(store.find("acme", before.id())).isPresent();
        assertThat(store.find("acme", after.id())).isPresent();
        assertThat(recheck.setAside("acme")).containsExactly(forged.id());
        assertThat(recheck.setAside("globex")).isEmpty();
        assertThat(Files.readAllBytes(folder.resolve("forged/acme~" + forged.id() + ".envelope")))
                .isEqualTo(forged.bytes());
        assertThat(ledger.tombstones("acme", "press-1", -1, 10))
                .extracting(Tombstone::envelope, Tombstone::why)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(forged.id(), StoreRecheck.WHY));
        assertThat(ledger.signed("acme", "press-1", forged.id()))
                .containsExactly(EnvelopeName.of(forged)); // it is not taken again
    }

    @Test
    void whatWasCheckedIsNotCheckedAgainAndWhatWasInterruptedIs() throws Exception {
        addHonest();
        Envelope forged = addForged();
        AtomicInteger asked = new AtomicInteger();
        StoreRecheck interrupted = recheck();
        interrupted.run(() -> asked.incrementAndGet() > 1);
        assertThat(interrupted.state()).isEqualTo(State.WAITING);
        StoreRecheck next = recheck();
        next.run(() -> false);
        assertThat(next.setAside("acme")).containsExactly(forged.id());
        StoreRecheck later = recheck();
        assertThat(later.state()).isEqualTo(State.DONE);
        later.run(() -> {
            throw new AssertionError("nothing is checked twice");
        });
    }

    /** More than one page of names, of two tenants, one of whose names begins with the other's. */
    @Test
    void namesGoThroughATenantsEnvelopesOnce() throws Exception {
        TestTenant acmeAndMore = TestTenant.of("acme2");
        List<EnvelopeName> names = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            names.add(EnvelopeName.of(addHonest()));
            add(Arrivals.of(acmeAndMore.sender("press-1", clock).seal("x").bytes(), clock.instant()));
        }
        store.delete("acme", List.of(names.removeFirst()));
        List<EnvelopeName> found = new ArrayList<>();
        EnvelopeStore.Page page = store.names("acme", null, 2);
        while (!page.names().isEmpty()) {
            assertThat(page.names()).hasSizeLessThanOrEqualTo(2);
            found.addAll(page.names());
            page = store.names("acme", page.end(), 2);
        }
        assertThat(found).containsExactlyInAnyOrderElementsOf(names);
    }
}
