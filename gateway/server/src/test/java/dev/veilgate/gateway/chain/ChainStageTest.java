package dev.veilgate.gateway.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.veilgate.envelope.ChainPosition;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.chain.SenderLedger.Finding;
import dev.veilgate.gateway.chain.SenderLedger.Gap;
import dev.veilgate.gateway.chain.SenderLedger.SenderStatus;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.ingest.Applied;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.peks.StoredBlock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChainStageTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final TestTenant ACME = TestTenant.of("acme");

    private final Database database = TestDatabase.create();
    private final ChainStage stage = new ChainStage(database);
    private final TestTenant.Sender press = ACME.sender("press-1", Clock.systemUTC());

    private List<SealedEnvelope> seal(int count) {
        List<SealedEnvelope> sealed = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sealed.add(press.seal("line " + i));
        }
        return sealed;
    }

    private void arrive(SealedEnvelope... sealed) throws Exception {
        for (SealedEnvelope one : sealed) {
            Envelope envelope = Envelope.decode(one.bytes());
            List<Optional<StoredBlock>> none =
                    Collections.nCopies(envelope.index().size(), Optional.empty());
            Arrival arrival = new Arrival(envelope, none, null, NOW);
            List<Applied> batch = List.of(new Applied(Optional.of(arrival), null, "", List.of()));
            database.transactions().executeWithoutResult(status -> stage.apply(batch));
        }
    }

    private SenderStatus status(Duration later) {
        Clock clock = Clock.fixed(NOW.plus(later), ZoneOffset.UTC);
        List<SenderStatus> senders =
                new SenderLedger(database, new ChainSettings(Duration.ofSeconds(60)), clock).senders("acme");
        assertThat(senders).hasSize(1);
        return senders.getFirst();
    }

    @Test
    void aWholeChainHasNoFinding() throws Exception {
        arrive(seal(5).toArray(SealedEnvelope[]::new));
        SenderStatus status = status(Duration.ofDays(1));
        assertThat(status.envelopes()).isEqualTo(5);
        assertThat(status.highestSequence()).isEqualTo(5);
        assertThat(status.gaps()).isEmpty();
        assertThat(status.findings()).isEmpty();
        assertThat(status.silentSince()).isNull();
    }

    @Test
    void anyOrderOfArrivalEndsWhole() throws Exception {
        List<SealedEnvelope> sealed = seal(12);
        long seed = new Random().nextLong();
        Collections.shuffle(sealed, new Random(seed));
        arrive(sealed.toArray(SealedEnvelope[]::new));
        SenderStatus status = status(Duration.ofDays(1));
        assertThat(status.gaps()).as("seed %d", seed).isEmpty();
        assertThat(status.findings()).as("seed %d", seed).isEmpty();
        assertThat(database.jdbc()
                        .sql("SELECT COUNT(*) FROM chain_link")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    @Test
    void namesGapsOnceTheyAreOlderThanTheWindow() throws Exception {
        List<SealedEnvelope> sealed = seal(8);
        arrive(sealed.get(0), sealed.get(1), sealed.get(3), sealed.get(4), sealed.get(7));
        assertThat(status(Duration.ofSeconds(59)).gaps()).isEmpty();
        assertThat(status(Duration.ofSeconds(60)).gaps()).containsExactly(new Gap(3, 3), new Gap(6, 7));
        arrive(sealed.get(2));
        assertThat(status(Duration.ofSeconds(60)).gaps()).containsExactly(new Gap(6, 7));
    }

    @Test
    void namesAForkWhereverItIs() throws Exception {
        List<SealedEnvelope> sealed = seal(3);
        press.position(ChainPosition.first());
        List<SealedEnvelope> other = seal(6);
        arrive(sealed.get(0), sealed.get(1), sealed.get(2), other.get(1), other.get(2), other.get(5));
        SenderStatus status = status(Duration.ZERO);
        assertThat(status.findings())
                .extracting(Finding::problem, Finding::sequence)
                .containsExactlyInAnyOrder(tuple(ChainStage.REPEATED, 2L), tuple(ChainStage.REPEATED, 3L));
        press.position(new ChainPosition(6, new byte[32]));
        arrive(press.seal("a third envelope number 6"));
        assertThat(status(Duration.ZERO).forks()).isEqualTo(1);
    }

    @Test
    void namesALinkThatIsBroken() throws Exception {
        arrive(press.seal("first"));
        press.position(new ChainPosition(2, new byte[32]));
        arrive(press.seal("after something else"));
        assertThat(status(Duration.ZERO).findings())
                .extracting(Finding::problem)
                .containsExactly(ChainStage.BROKEN);
    }

    @Test
    void namesAllLossesOfAnEnvelopeWithoutControlCharacters() throws Exception {
        arrive(press.sealLoss("spool-full", "disk\u0000gone"));
        List<Finding> findings = status(Duration.ZERO).findings();
        assertThat(findings).extracting(Finding::problem).containsExactly(ChainStage.LOSS);
        assertThat(findings.getFirst().detail()).contains("spool-full, 3 records", "; disk?gone, 3 records");
    }
}
