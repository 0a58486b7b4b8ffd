package dev.veilgate.gateway.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.envelope.IndexRules;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SealedEnvelope;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Principal.Kind;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.peks.ForgedIndexBlock;
import dev.veilgate.peks.IndexBlock;
import dev.veilgate.peks.IndexSchemes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

class AdmissionTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final TestTenant OTHER = TestTenant.of("other");
    private static final OutdatedBlocks OUTDATED =
            new OutdatedBlocks(Instant.EPOCH, Optional.empty(), Instant.EPOCH, IndexSchemes.load());
    private static final Principal TOKEN = new Principal(Kind.TOKEN, "sender", "acme", Set.of(Right.INGEST), Set.of());

    private final Clock clock = Clock.systemUTC();
    private final TestTenant.Sender press = ACME.sender("press-1", clock);

    static IngestSettings settings(int envelopesPerMinute) {
        return new IngestSettings(
                DataSize.ofMegabytes(1),
                4,
                Duration.ofHours(1),
                envelopesPerMinute,
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(1),
                DataSize.ofGigabytes(1),
                DataSize.ofMegabytes(1),
                Duration.ofMinutes(5),
                Duration.ofDays(30));
    }

    private Admission admission(int envelopesPerMinute, TestTenant... served) {
        return admission(envelopesPerMinute, OUTDATED, served);
    }

    private Admission admission(int envelopesPerMinute, OutdatedBlocks outdated, TestTenant... served) {
        IngestSettings settings = settings(envelopesPerMinute);
        return new Admission(
                TestTenant.tenants(served),
                outdated,
                settings,
                StrangerSettings.DEFAULTS,
                new Quota(settings, clock),
                recipients -> {},
                SenderChecks.none(),
                DeliveredForms.strict(),
                clock);
    }

    private Refusal refusal(Principal from, byte[] envelope) {
        return refusal(admission(1000, ACME), from, envelope);
    }

    private static Refusal refusal(Admission admission, Principal from, byte[] envelope) {
        return catchThrowableOfType(
                        RefusedException.class, () -> admission.admit(new Submission.OfEnvelope(from, envelope)))
                .refusal();
    }

    @Test
    void admitsWhatARegisteredSenderSealed() throws Exception {
        SealedEnvelope sealed = press.seal("pump overheated", "door open");
        Admitted admitted = admission(10, ACME).admit(new Submission.OfEnvelope(TOKEN, sealed.bytes()));
        assertThat(admitted.arrival().orElseThrow().envelope().bytes()).isEqualTo(sealed.bytes());
        assertThat(admitted.arrival().orElseThrow().blocks()).allMatch(Optional::isPresent);
        Entry entry = Entry.decode(admitted.entry().encode());
        assertThat(entry.envelope()).isEqualTo(sealed.bytes());
        assertThat(entry.arrived()).isEqualTo(admitted.entry().arrived());
    }

    @Test
    void refusesEveryByteThatWasChanged() {
        byte[] sealed = press.seal("pump overheated").bytes();
        Admission admission = admission(1000, ACME);
        for (int i = 0; i < sealed.length; i += 97) {
            byte[] changed = sealed.clone();
            changed[i] ^= 0x04;
            assertThat(refusal(admission, TOKEN, changed))
                    .isIn(
                            Refusal.MALFORMED,
                            Refusal.BAD_SIGNATURE,
                            Refusal.UNKNOWN_TENANT,
                            Refusal.UNKNOWN_KEY,
                            Refusal.UNKNOWN_SCOPE,
                            Refusal.NOT_ALLOWED,
                            Refusal.CLOCK);
        }
    }

    @Test
    void refusesTenantsAndSendersThatAreNotTheLogins() {
        byte[] sealed = press.seal("pump").bytes();
        Principal others = new Principal(Kind.TOKEN, "x", "other", Set.of(Right.INGEST), Set.of());
        assertThat(refusal(others, sealed)).isEqualTo(Refusal.NOT_ALLOWED);
        Principal reader = new Principal(Kind.TOKEN, "x", "acme", Set.of(Right.SEARCH), Set.of());
        assertThat(refusal(reader, sealed)).isEqualTo(Refusal.NOT_ALLOWED);
        Principal device = new Principal(Kind.DEVICE, "press-2", "acme", Set.of(Right.INGEST), Set.of());
        assertThat(refusal(device, sealed)).isEqualTo(Refusal.NOT_ALLOWED);
        byte[] foreign = OTHER.sender("press-1", clock).seal("pump").bytes();
        assertThat(refusal(others, foreign)).isEqualTo(Refusal.UNKNOWN_TENANT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"press\u0000", "\npress", "press\u007f", "press\u0085"})
    void refusesSendersWhoseNamesHaveControlCharacters(String name) {
        TestTenant hostile = TestTenant.of("hostile");
        byte[] sealed = hostile.register(name, clock).seal("pump").bytes();
        Principal token = new Principal(Kind.TOKEN, "x", "hostile", Set.of(Right.INGEST), Set.of());
        assertThat(refusal(admission(10, hostile), token, sealed)).isEqualTo(Refusal.MALFORMED);
    }

    @Test
    void refusesWhatWasSealedInTheFutureAndTakesWhatIsOld() throws Exception {
        Clock ahead = Clock.offset(clock, Duration.ofHours(2));
        assertThat(refusal(TOKEN, ACME.sender("press-1", ahead).seal("pump").bytes()))
                .isEqualTo(Refusal.CLOCK);
        byte[] sealed = press.seal("pump").bytes();
        IngestSettings settings = settings(10);
        Clock muchLater = Clock.offset(clock, Duration.ofDays(200));
        Admission later = new Admission(
                TestTenant.tenants(ACME),
                OUTDATED,
                settings,
                StrangerSettings.DEFAULTS,
                new Quota(settings, muchLater),
                recipients -> {},
                SenderChecks.none(),
                DeliveredForms.strict(),
                muchLater);
        assertThat(later.admit(new Submission.OfEnvelope(TOKEN, sealed)).arrival())
                .isPresent();
    }

    /** A block whose mask was chosen, or altered on the way, signed as it should be. */
    @Test
    void refusesABlockWhoseMaskIsNotTheOneThatItsBindingNames() {
        TestTenant.Sender liar = ACME.liar("press-1", clock, ACME, block -> {
            byte[] payload = block.payload();
            Arrays.fill(payload, 5, 5 + 2048 * 29 / 8, (byte) 0);
            return new IndexBlock(
                    block.scheme(), block.parameters(), block.keyId(), block.scope(), block.epoch(), payload);
        });
        assertThat(refusal(TOKEN, liar.seal("pump").bytes())).isEqualTo(Refusal.MALFORMED);
    }

    private static OutdatedBlocks outdated(Instant since, Duration taken) {
        return new OutdatedBlocks(since, Optional.of(since.plus(taken)), Instant.EPOCH, IndexSchemes.load());
    }

    /** Devices have sealed envelopes in their spools when a gateway is updated. */
    @Test
    void takesTheIndexFormBeforeFromRegisteredSendersForATime() throws Exception {
        byte[] before = ACME.liar("press-1", clock, ACME, ForgedIndexBlock::unshifted)
                .seal("pump")
                .bytes();
        Instant since = clock.instant();
        OutdatedBlocks forAMinute = outdated(since, Duration.ofMinutes(1));
        OutdatedBlocks over = outdated(since.minusSeconds(61), Duration.ofMinutes(1));
        Arrival taken = admission(10, forAMinute, ACME)
                .admit(new Submission.OfEnvelope(TOKEN, before))
                .arrival()
                .orElseThrow();
        assertThat(taken.blocks()).allMatch(Optional::isPresent);
        assertThat(forAMinute.forRoutes(taken).blocks()).allMatch(Optional::isEmpty);
        RefusedException refused = catchThrowableOfType(
                RefusedException.class,
                () -> admission(10, over, ACME).admit(new Submission.OfEnvelope(TOKEN, before)));
        assertThat(refused.refusal()).isEqualTo(Refusal.OUTDATED);
        assertThat(refused).hasMessageContaining("update");
        byte[] current = press.seal("pump").bytes();
        Arrival also = admission(10, over, ACME)
                .admit(new Submission.OfEnvelope(TOKEN, current))
                .arrival()
                .orElseThrow();
        assertThat(over.forRoutes(also)).isSameAs(also);
    }

    /** Searches of that epoch ask later rules alone: what is not found by them is told to who sealed it, at once. */
    @Test
    void takesKeywordsOfLaterRulesAloneFromAnEpochOn() throws Exception {
        TestTenant strict = TestTenant.of("strict");
        PublicBundle.Epoch present = EpochPolicy.MONTHLY.at(clock.instant());
        byte[] profile = {2};
        strict.keys().setProfiles(strict.keys().profiles().withNext(new NextProfile(profile, present, present)));
        Principal token = new Principal(Kind.TOKEN, "x", "strict", Set.of(Right.INGEST), Set.of());
        Admission admission = admission(10, strict);
        TestTenant.Sender sender = strict.sender("press-1", clock);
        byte[] silent = sender.seal("pump").bytes();
        byte[] first = sender.indexingBy(IndexRules.of(1, profile)).seal("pump").bytes();
        byte[] later = sender.indexingBy(IndexRules.of(2, profile)).seal("pump").bytes();
        for (byte[] each : List.of(silent, first)) {
            RefusedException refused = catchThrowableOfType(
                    RefusedException.class, () -> admission.admit(new Submission.OfEnvelope(token, each)));
            assertThat(refused.refusal()).isEqualTo(Refusal.OUTDATED);
            assertThat(refused).hasMessageContaining("rules 1").hasMessageContaining(present.name());
        }
        assertThat(admission.admit(new Submission.OfEnvelope(token, later)).arrival())
                .isPresent();
        strict.keys().setProfiles(strict.keys().profiles().withNext(new NextProfile(profile, present, null)));
        assertThat(admission(10, strict)
                        .admit(new Submission.OfEnvelope(token, first))
                        .arrival())
                .isPresent();
    }

    /** The earlier version checked what it took: it is replayed and routed after the update. */
    @Test
    void routesWhatTheVersionBeforeTook() throws Exception {
        byte[] before = ACME.liar("press-1", clock, ACME, ForgedIndexBlock::unshifted)
                .seal("pump")
                .bytes();
        Arrival arrival = Arrivals.of(before, clock.instant());
        assertThat(outdated(clock.instant().plusSeconds(60), Duration.ZERO).forRoutes(arrival))
                .isSameAs(arrival);
        assertThat(outdated(clock.instant().minusSeconds(60), Duration.ZERO)
                        .forRoutes(arrival)
                        .blocks())
                .allMatch(Optional::isEmpty);
    }

    @Test
    void refusesKeysAndScopesThatTheBundleDoesNotName() {
        byte[] otherKey =
                ACME.liar("press-1", clock, OTHER, block -> block).seal("pump").bytes();
        assertThat(refusal(TOKEN, otherKey)).isEqualTo(Refusal.UNKNOWN_KEY);
        TestTenant scoped = TestTenant.of("scoped");
        scoped.keys().addScope("plant-8");
        Principal token = new Principal(Kind.TOKEN, "x", "scoped", Set.of(Right.INGEST), Set.of());
        byte[] otherScope = scoped.sender("press-1", clock).seal("pump").bytes();
        assertThat(refusal(admission(10, scoped), token, otherScope)).isEqualTo(Refusal.UNKNOWN_SCOPE);
    }

    @Test
    void refusesTooMuch() {
        assertThat(refusal(TOKEN, new byte[(1 << 20) + 1])).isEqualTo(Refusal.TOO_LARGE);
        String[] words = new String[5 * 256];
        for (int i = 0; i < words.length; i++) {
            words[i] = "w" + i;
        }
        byte[] fiveBlocks = press.seal(String.join(" ", words)).bytes();
        assertThat(refusal(TOKEN, fiveBlocks)).isEqualTo(Refusal.TOO_LARGE);
        Admission two = admission(2, ACME);
        byte[] sealed = press.seal("pump").bytes();
        for (int i = 0; i < 2; i++) {
            assertThat(refusal(two, TOKEN, new byte[10])).isEqualTo(Refusal.MALFORMED);
        }
        assertThat(refusal(two, TOKEN, sealed)).isEqualTo(Refusal.QUOTA);
    }
}
