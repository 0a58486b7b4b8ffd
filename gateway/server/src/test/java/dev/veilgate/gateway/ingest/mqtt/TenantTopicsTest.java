package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.gateway.broker.TenantTopics;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/** What is published for a tenant reaches its own devices only, whatever the access file lets others subscribe to. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class TenantTopicsTest {
    private static final String DEAD_LETTERS = "veilgate/dead-letter";
    private static final int NOT_AUTHORIZED = 0x87;

    @TempDir
    private Path folder;

    private final int port = FreePort.choose();
    private final String url = "tcp://127.0.0.1:" + port;
    private final HeldIngestion ingestion = new HeldIngestion();

    /** A device TENANT-NAME of each tenant; those called pager may subscribe to everything. */
    private static final class Everybody implements Access {
        @Override
        public Optional<Principal> token(String secret) {
            return Optional.empty();
        }

        @Override
        public Optional<Principal> device(String name, String password) {
            return Optional.of(new Principal(
                    Principal.Kind.DEVICE,
                    name,
                    name.substring(0, name.indexOf('-')),
                    Set.of(Right.INGEST),
                    Set.of(),
                    name.endsWith("-pager") ? Set.of("#") : Set.of()));
        }

        @Override
        public Optional<Principal> mailUser(String name, String password) {
            return Optional.empty();
        }
    }

    private Broker start(TenantTopics topics) {
        Broker broker = Brokers.of(
                EmbeddedBrokerTest.settings(Map.of("embedded.listen", "127.0.0.1:" + port)),
                folder.resolve("mqtt"),
                new Everybody(),
                new DefaultSslBundleRegistry(),
                topics,
                new SimpleMeterRegistry());
        ingestion.answer = text -> HeldIngestion.refused(Refusal.MALFORMED);
        broker.start(new EnvelopeIntake(ingestion, broker, topics, DEAD_LETTERS, new SimpleMeterRegistry()));
        return broker;
    }

    private static TenantTopics both(String plain) {
        return new TenantTopics(plain, () -> List.of("acme", "globex"));
    }

    private void refuseOneOf(String tenant) throws Exception {
        try (Device device = Device.of(url, tenant + "-press").connect()) {
            device.publish(
                            "veilgate/v1/" + tenant + "/" + tenant + "-press",
                            tenant.getBytes(StandardCharsets.UTF_8),
                            1)
                    .get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void keepsDeadLettersAndNoticesOfATenantFromDevicesOfAnother() throws Exception {
        TenantTopics topics = both("");
        try (Broker broker = start(topics);
                Device acme = Device.of(url, "acme-pager").connect();
                Device globex = Device.of(url, "globex-pager").connect()) {
            for (String foreign : List.of(
                    "veilgate/tenants/acme/dead-letter",
                    "veilgate/tenants/acme/#",
                    "veilgate/tenants/+/dead-letter",
                    "veilgate/tenants/#",
                    "veilgate/#",
                    "+/tenants/+/alerts/#",
                    "#",
                    "$share/group/veilgate/tenants/acme/#",
                    "$share/group/#",
                    DEAD_LETTERS,
                    "alerts/#")) {
                assertThat(globex.subscribe(foreign)).as(foreign).isEqualTo(NOT_AUTHORIZED);
            }
            assertThat(acme.subscribe("veilgate/tenants/acme/#")).isEqualTo(1);
            assertThat(globex.subscribe("$share/group/veilgate/tenants/globex/#"))
                    .isEqualTo(1);
            refuseOneOf("acme");
            assertThat(acme.next().topic()).isEqualTo("veilgate/tenants/acme/dead-letter");
            refuseOneOf("globex");
            assertThat(globex.next().topic()).isEqualTo("veilgate/tenants/globex/dead-letter");
            broker.publish(topics.topic("acme", "alerts/fire"), new byte[] {1}).get(60, TimeUnit.SECONDS);
            assertThat(acme.next().topic()).isEqualTo("veilgate/tenants/acme/alerts/fire");
            assertThat(globex.publish("veilgate/tenants/acme/alerts/fire", new byte[] {1}, 1)
                            .get(60, TimeUnit.SECONDS)
                            .code())
                    .isEqualTo(NOT_AUTHORIZED);
            refuseOneOf("globex");
            assertThat(globex.next().text()).isEqualTo("globex");
            assertThat(acme.received).isEmpty();
        }
    }

    @Test
    void leavesTheTopicsOfTheOnlyTenantAsTheyWere() throws Exception {
        TenantTopics topics = new TenantTopics("", () -> List.of("acme"));
        try (Broker broker = start(topics);
                Device wide = Device.of(url, "acme-pager", "wide").connect();
                Device narrow = Device.of(url, "acme-pager", "narrow").connect()) {
            assertThat(wide.subscribe("#")).isEqualTo(1);
            assertThat(narrow.subscribe(DEAD_LETTERS)).isEqualTo(1);
            refuseOneOf("acme");
            assertThat(wide.next().topic()).isEqualTo(DEAD_LETTERS);
            assertThat(narrow.next().topic()).isEqualTo(DEAD_LETTERS);
            broker.publish(topics.topic("acme", "alerts/fire"), new byte[] {1}).get(60, TimeUnit.SECONDS);
            assertThat(wide.next().topic()).isEqualTo("alerts/fire");
        }
    }

    @Test
    void takesOldSubscriptionsOutOfSessionsWhenTenantsAreDivided() throws Exception {
        try (Broker _ = start(new TenantTopics("", () -> List.of("globex")));
                Device globex = Device.of(url, "globex-pager").connect()) {
            assertThat(globex.subscribe("#")).isEqualTo(1);
            assertThat(globex.subscribe("veilgate/tenants/globex/#")).isEqualTo(1);
        }
        TenantTopics topics = both("acme");
        try (Broker broker = start(topics)) {
            refuseOneOf("acme"); // waits for globex, which is not allowed to see it any more
            try (Device acme = Device.of(url, "acme-pager").connect();
                    Device globex = Device.of(url, "globex-pager").connect()) {
                assertThat(acme.subscribe(DEAD_LETTERS)).isEqualTo(1);
                assertThat(acme.subscribe("alerts/#")).isEqualTo(1);
                assertThat(acme.subscribe("#")).isEqualTo(NOT_AUTHORIZED);
                refuseOneOf("acme");
                assertThat(acme.next().topic()).isEqualTo(DEAD_LETTERS);
                broker.publish(topics.topic("acme", "alerts/fire"), new byte[] {1})
                        .get(60, TimeUnit.SECONDS);
                assertThat(acme.next().topic()).isEqualTo("alerts/fire");
                refuseOneOf("globex");
                assertThat(globex.next().topic()).isEqualTo("veilgate/tenants/globex/dead-letter");
                assertThat(globex.received).isEmpty();
                assertThat(acme.received).isEmpty();
            }
        }
    }

    @Test
    void putsEveryTopicIntoTheSpaceOfItsTenant() {
        TenantTopics topics = both("acme");
        assertThat(topics.topic("globex", "alerts/fire")).isEqualTo("veilgate/tenants/globex/alerts/fire");
        assertThat(topics.topic("globex", "veilgate/dead-letter")).isEqualTo("veilgate/tenants/globex/dead-letter");
        assertThat(topics.topic("globex", "veilgate/tenants/globex/x")).isEqualTo("veilgate/tenants/globex/x");
        assertThat(topics.topic("globex", "veilgate/tenants/acme/x"))
                .isEqualTo("veilgate/tenants/globex/tenants/acme/x");
        assertThat(topics.topic("globex", "veilgate/tenants/globex2/x"))
                .isEqualTo("veilgate/tenants/globex/tenants/globex2/x");
        assertThat(topics.topic("acme", "alerts/fire")).isEqualTo("alerts/fire");
        assertThat(topics.topic("acme", "veilgate/tenants/globex/x"))
                .isEqualTo("veilgate/tenants/acme/tenants/globex/x");
        assertThat(topics.topic("a/+#", "x")).isEqualTo("veilgate/tenants/a%2F%2B%23/x");
    }

    @Test
    void refusesADeadLetterTopicOfOneTenant() {
        assertThatThrownBy(() ->
                        EmbeddedBrokerTest.settings(Map.of("dead-letter-topic", "veilgate/tenants/acme/dead-letter")))
                .hasRootCauseMessage(
                        "veilgate.mqtt.dead-letter-topic must not begin with veilgate/tenants/: each tenant"
                                + " gets its own by itself");
    }
}
