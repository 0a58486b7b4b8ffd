package dev.veilgate.gateway.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.application.TestClock;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.retention.RetentionSettings.Rule;
import dev.veilgate.gateway.settings.GatewayId;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final RetentionSettings SETTINGS = new RetentionSettings(
            Duration.ofHours(1),
            List.of(new Rule("acme", null, 10), new Rule("acme", "plant-8", 30), new Rule("globex", "plant-7", 1)));

    @TempDir
    Path folder;

    private final TestClock clock = new TestClock();
    private final Database database = TestDatabase.create();
    private final GatewayId gateway = new GatewayId(UUID.randomUUID().toString());
    private final RetentionLedger ledger = new RetentionLedger(database, gateway);
    private final TestTenant.Sender sender = ACME.sender("press-1", clock);
    private EnvelopeStore store;
    private Retention retention;
    private long position;

    @BeforeEach
    void open() throws IOException {
        store = EnvelopeStore.embedded(folder, Arrivals.SCHEMES, 0, 1);
        retention = retention(store);
    }

    private Retention retention(EnvelopeStore of) {
        return new Retention(of, ledger, SETTINGS, clock, new SimpleMeterRegistry());
    }

    @AfterEach
    void close() throws IOException {
        store.close();
    }

    private Arrival arrived(String scope) throws IOException {
        Arrival arrival = Arrivals.of(sender.sealFor(scope, "ok").bytes(), clock.instant());
        store.add(List.of(arrival), ++position);
        store.refresh();
        return arrival;
    }

    private boolean isStored(Arrival arrival) throws IOException {
        return store.find("acme", arrival.envelope().id()).isPresent();
    }

    private Hold hold(@Nullable String scope, @Nullable UUID envelope) {
        Hold hold = new Hold(UUID.randomUUID(), scope, envelope, null, "case 7", clock.instant(), "counsel");
        retention.place("acme", hold);
        return hold;
    }

    @Test
    void deletesWhatIsTooOldForItsScopeAndLeavesATombstone() throws Exception {
        Arrival seven = arrived("plant-7");
        Arrival eight = arrived("plant-8");
        clock.advance(Duration.ofDays(5));
        Arrival young = arrived("plant-7");
        clock.advance(Duration.ofDays(5));
        retention.run();
        assertThat(isStored(seven)).as("not a moment too early").isTrue();
        clock.advance(Duration.ofMillis(1));
        retention.run();
        assertThat(isStored(seven)).isFalse();
        assertThat(isStored(eight)).isTrue();
        assertThat(isStored(young)).isTrue();
        assertThat(ledger.tombstones("acme", "press-1", -1, 10))
                .containsExactly(new Tombstone(
                        seven.envelope().id(),
                        "press-1",
                        1,
                        HexFormat.of().formatHex(seven.envelope().digest()),
                        "kept for 10 days",
                        clock.instant()));
        clock.advance(Duration.ofDays(20));
        retention.run();
        assertThat(isStored(eight)).isFalse();
        assertThat(ledger.tombstones("acme", "press-1", 1, 10))
                .extracting(Tombstone::sequence, Tombstone::why)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(2L, "kept for 30 days"),
                        org.assertj.core.groups.Tuple.tuple(3L, "kept for 10 days"));
    }

    @Test
    void aHoldKeepsAScopeOrAnEnvelopeUntilItIsLifted() throws Exception {
        Arrival seven = arrived("plant-7");
        Arrival eight = arrived("plant-8");
        Arrival one = arrived("plant-7");
        Hold ofScope = hold("plant-8", null);
        Hold ofEnvelope = hold(null, one.envelope().id());
        clock.advance(Duration.ofDays(31));
        retention.run();
        assertThat(isStored(seven)).isFalse();
        assertThat(isStored(eight)).isTrue();
        assertThat(isStored(one)).isTrue();
        assertThat(ledger.holds("acme")).containsExactlyInAnyOrder(ofScope, ofEnvelope);
        assertThat(ledger.lift("globex", ofScope.id())).isFalse();
        assertThat(ledger.lift("acme", ofScope.id())).isTrue();
        retention.run();
        assertThat(isStored(eight)).isFalse();
        assertThat(isStored(one)).isTrue();
    }

    @Test
    void goesOnBehindManyHeldOnesAndBeyondABatch() throws Exception {
        for (int i = 0; i < 300; i++) {
            store.add(List.of(Arrivals.of(sender.sealFor("plant-7", "ok").bytes(), clock.instant())), ++position);
        }
        store.refresh();
        Arrival held = arrived("plant-7");
        hold(null, held.envelope().id());
        clock.advance(Duration.ofDays(11));
        retention.run();
        assertThat(store.holdings().get("acme").envelopes()).isEqualTo(1);
        assertThat(isStored(held)).isTrue();
        assertThat(ledger.tombstones("acme", "press-1", -1, 1000)).hasSize(300);
    }

    /** The process ends before the store deletes, or before that is noted. */
    @Test
    void takesUpWhatACrashLeftOpen() throws Exception {
        Arrival arrival = arrived("plant-7");
        clock.advance(Duration.ofDays(11));
        for (boolean afterDelete : new boolean[] {false, true}) {
            EnvelopeStore crashing = (EnvelopeStore) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {EnvelopeStore.class}, (proxy, method, arguments) -> {
                        if (!method.getName().equals("delete")) {
                            return invoke(method, arguments);
                        }
                        if (afterDelete) {
                            invoke(method, arguments);
                        }
                        throw new IOException("the process ended here");
                    });
            assertThatThrownBy(() -> retention(crashing).run()).hasMessage("the process ended here");
            assertThat(ledger.unfinished("acme")).hasSize(1);
            assertThat(ledger.tombstones("acme", "press-1", -1, 10)).isEmpty();
            assertThat(isStored(arrival)).isEqualTo(!afterDelete);
            if (!afterDelete) {
                UUID meanwhile = hold("plant-7", null).id();
                retention.run();
                assertThat(isStored(arrival)).as("held before it was deleted").isTrue();
                assertThat(ledger.unfinished("acme")).isEmpty();
                ledger.lift("acme", meanwhile);
            }
        }
        retention.run();
        assertThat(ledger.unfinished("acme")).isEmpty();
        assertThat(ledger.tombstones("acme", "press-1", -1, 10))
                .extracting(Tombstone::envelope)
                .containsExactly(arrival.envelope().id());
    }

    private Object invoke(java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Two mails of one id, of which the second differs in a bit of its index. */
    private List<Arrival> mails(Duration between) throws Exception {
        Arrival first = Arrivals.mail(ACME, clock, List.of("plant-7"), "ok");
        store.add(List.of(first), ++position);
        clock.advance(between);
        Arrival second = Arrivals.altered(first, 0, clock.instant());
        store.add(List.of(second), ++position);
        store.refresh();
        assertThat(second.envelope().id()).isEqualTo(first.envelope().id());
        return List.of(first, second);
    }

    private boolean contains(Arrival arrival) throws IOException {
        return store.contains("acme", EnvelopeName.of(arrival.envelope()));
    }

    @Test
    void ofTwoEnvelopesOfAnIdTheOneThatIsTooOldIsDeleted() throws Exception {
        List<Arrival> mails = mails(Duration.ofDays(5));
        clock.advance(Duration.ofDays(6));
        retention.run();
        assertThat(contains(mails.getFirst())).isFalse();
        assertThat(contains(mails.getLast())).isTrue();
        assertThat(ledger.tombstones("acme", "", -1, 10)).hasSize(1);
        clock.advance(Duration.ofDays(5));
        retention.run();
        assertThat(contains(mails.getLast())).isFalse();
        assertThat(ledger.tombstones("acme", "", -1, 10))
                .extracting(Tombstone::digest)
                .containsExactlyInAnyOrder(
                        EnvelopeName.of(mails.getFirst().envelope()).digest(),
                        EnvelopeName.of(mails.getLast().envelope()).digest());
    }

    @Test
    void aHoldIsOfAllEnvelopesOfAnIdOrOfTheOneWhoseDigestItNames() throws Exception {
        List<Arrival> mails = mails(Duration.ZERO);
        EnvelopeName first = EnvelopeName.of(mails.getFirst().envelope());
        Hold ofAll = hold(null, first.id());
        Hold ofOne =
                new Hold(UUID.randomUUID(), null, first.id(), first.digest(), "case 8", clock.instant(), "counsel");
        retention.place("acme", ofOne);
        clock.advance(Duration.ofDays(11));
        retention.run();
        assertThat(contains(mails.getFirst())).isTrue();
        assertThat(contains(mails.getLast())).isTrue();
        assertThat(ledger.holds("acme")).containsExactlyInAnyOrder(ofAll, ofOne);
        ledger.lift("acme", ofAll.id());
        retention.run();
        assertThat(contains(mails.getFirst())).isTrue();
        assertThat(contains(mails.getLast())).isFalse();
    }

    /** A stranger may send as many of one id as it likes. */
    @Test
    void goesOnBehindManyHeldOnesOfOneId() throws Exception {
        Arrival first = Arrivals.mail(ACME, clock, List.of("plant-7"), "ok");
        for (int i = 0; i < 300; i++) {
            store.add(List.of(Arrivals.altered(first, i, clock.instant())), ++position);
        }
        hold(null, first.envelope().id());
        clock.advance(Duration.ofMillis(1));
        Arrival other = arrived("plant-7");
        clock.advance(Duration.ofDays(11));
        retention.run();
        assertThat(isStored(other)).isFalse();
        assertThat(store.holdings().get("acme").envelopes()).isEqualTo(300);
    }

    @Test
    void settingsNameWhatIsWrong() {
        Duration hour = Duration.ofHours(1);
        assertThatThrownBy(() -> new Rule("acme", "plant-7", 0))
                .hasMessageContaining("veilgate.retention.rules[].days");
        assertThatThrownBy(() ->
                        new RetentionSettings(hour, List.of(new Rule("acme", null, 1), new Rule("acme", null, 2))))
                .hasMessageContaining("veilgate.retention.rules[]");
    }
}
