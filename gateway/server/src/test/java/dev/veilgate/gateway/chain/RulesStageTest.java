package dev.veilgate.gateway.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.veilgate.application.TestClock;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.chain.SenderLedger.RulesSeen;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.ingest.Applied;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.peks.StoredBlock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** By which rules senders were seen to make keywords. */
class RulesStageTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final byte[] PROFILE = {2};
    private static final Instant NOON = Instant.now().truncatedTo(ChronoUnit.MILLIS);

    private final Database database = TestDatabase.create();
    private final RulesStage stage = new RulesStage(database);
    private final SenderLedger ledger = new SenderLedger(database, new ChainSettings(Duration.ZERO), new TestClock());

    private static Envelope sealed(String sender, Instant at, IndexRules rules) throws Exception {
        TestTenant.Sender press = ACME.sender(sender, Clock.fixed(at, ZoneOffset.UTC));
        return Envelope.decode(press.indexingBy(rules).seal("pump").bytes());
    }

    private static Envelope ofSilent(String sender, Instant at) throws Exception {
        return Envelope.decode(ACME.sender(sender, Clock.fixed(at, ZoneOffset.UTC))
                .seal("pump")
                .bytes());
    }

    private void arrive(Envelope... batch) {
        List<Applied> applied = new ArrayList<>();
        for (Envelope envelope : batch) {
            List<Optional<StoredBlock>> none =
                    Collections.nCopies(envelope.index().size(), Optional.empty());
            applied.add(new Applied(Optional.of(new Arrival(envelope, none, null, NOON)), null, "", List.of()));
        }
        applied.add(new Applied(Optional.empty(), new byte[] {1}, "", List.of())); // a plain mail
        database.transactions().executeWithoutResult(_ -> stage.apply(applied));
    }

    @Test
    void eachSenderWasLastSeenByEachOfItsRules() throws Exception {
        IndexRules later = IndexRules.of(2, PROFILE);
        arrive(ofSilent("press-1", NOON), sealed("press-2", NOON, IndexRules.of(1, PROFILE)));
        arrive(sealed("press-1", NOON.plusSeconds(60), later), sealed("press-1", NOON.plusSeconds(30), later));
        arrive(ofSilent("press-1", NOON.minusSeconds(5)));
        assertThat(ledger.rules("acme"))
                .as("what comes late, sealed before, does not count as newer")
                .extracting(RulesSeen::sender, RulesSeen::rules, RulesSeen::lastSealed)
                .containsExactly(
                        tuple("press-1", 1, NOON),
                        tuple("press-1", 2, NOON.plusSeconds(60)),
                        tuple("press-2", 1, NOON));
        assertThat(ledger.rules("other")).isEmpty();
    }

    @Test
    void whatHasNoKeywordsOrThoseOfItsCallerIsOfNoRules() throws Exception {
        Envelope loss = Envelope.decode(
                ACME.sender("press-1", Clock.systemUTC()).sealLoss("spool-full").bytes());
        assertThat(loss.index()).isEmpty();
        arrive(loss, sealed("press-2", NOON, IndexRules.OF_CALLER));
        assertThat(ledger.rules("acme")).isEmpty();
    }

    @Test
    void aSenderHasARowForEachOfItsRulesHoweverMuchItSends() throws Exception {
        for (int i = 0; i < 30; i++) {
            arrive(sealed("press-1", NOON.plusSeconds(i), IndexRules.of(1 + i % 2, PROFILE)));
        }
        assertThat(database.jdbc()
                        .sql("SELECT COUNT(*) FROM sender_rules")
                        .query(Long.class)
                        .single())
                .isEqualTo(2);
    }

    @Test
    void numbersThatAreMadeUpTakeOneRow() throws Exception {
        for (int rules : new int[] {16, 17, 1 << 20, Integer.MAX_VALUE}) {
            arrive(sealed("press-1", NOON, IndexRules.of(rules, PROFILE)));
        }
        assertThat(ledger.rules("acme")).extracting(RulesSeen::rules).containsExactly(RulesStage.GREATEST);
    }
}
