package dev.veilgate.gateway.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/** The gateway asks its embedded broker by a login and a message of its own, and nobody else can. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class BrokerProbeTest {
    private static final byte[] ACCEPTED = {0x20, 3, 0, 0, 0};
    private static final byte[] UNSPECIFIED_ERROR = {0x20, 3, 0, (byte) 0x80, 0};

    @TempDir
    private Path folder;

    private static BrokerProbe probe(int port) {
        return new BrokerProbe(new MqttSettings.Listener("127.0.0.1", port), null);
    }

    /** A server that answers each CONNECT with the same bytes, and nothing else. */
    private static ServerSocket answering(byte[] answer) throws IOException {
        ServerSocket server = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> {
            while (!server.isClosed()) {
                try (Socket client = server.accept()) {
                    client.getInputStream().read(new byte[1024]);
                    client.getOutputStream().write(answer);
                    client.getOutputStream().flush();
                    client.getInputStream().readAllBytes();
                } catch (IOException e) {
                    continue; // the other side may close at any time
                }
            }
        });
        return server;
    }

    @Test
    void isNotAnsweredByABrokerThatRefusesLogins() throws Exception {
        try (ServerSocket server = answering(UNSPECIFIED_ERROR);
                BrokerProbe probe = probe(server.getLocalPort())) {
            probe.start();
            assertThat(probe.trouble()).isNotNull();
        }
    }

    @Test
    void isNotAnsweredByABrokerThatTakesNoMessage() throws Exception {
        try (ServerSocket server = answering(ACCEPTED);
                BrokerProbe probe = probe(server.getLocalPort())) {
            probe.start();
            assertThat(probe.trouble()).isNotNull();
        }
    }

    @Test
    void isNotAnsweredWhereNobodyListens() {
        try (BrokerProbe probe = probe(FreePort.choose())) {
            probe.start();
            assertThat(probe.trouble()).isNotNull();
        }
    }

    /** There is no device, so that whoever logs in is the gateway itself. */
    @Test
    void keepsTheBrokerReadyAndCountsNowhere() throws Exception {
        int port = FreePort.choose();
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        MqttSettings settings = new Binder(new MapConfigurationPropertySource(
                        Map.of("veilgate.mqtt.embedded.listen", "127.0.0.1:" + port)))
                .bindOrCreate("veilgate.mqtt", MqttSettings.class);
        try (Broker broker = Brokers.of(
                settings,
                folder.resolve("mqtt"),
                new Nobody(),
                new DefaultSslBundleRegistry(),
                new TenantTopics("acme", () -> Set.of("acme")),
                meters)) {
            broker.start((sender, envelope) -> CompletableFuture.completedFuture(Optional.empty()));
            assertThat(broker.ready()).as(broker.status()).isTrue();
            await().during(Duration.ofSeconds(12)) // it asks twice meanwhile
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(
                            () -> assertThat(broker.ready()).as(broker.status()).isTrue());
            for (String name : new String[] {"connections", "connections.unfinished", "sessions", "waiting"}) {
                assertThat(meters.get("veilgate.mqtt." + name).gauge().value())
                        .as(name)
                        .isZero();
            }
            assertThat(meters.get("veilgate.mqtt.dropped").functionCounter().count())
                    .isZero();
            assertThat(meters.find("veilgate.mqtt.connects").counters())
                    .allSatisfy(counter -> assertThat(counter.count()).isZero());
            try (BrokerProbe other = probe(port)) {
                other.start();
                assertThat(other.trouble()).as("with another password").isNotNull();
            }
        }
    }

    private static final class Nobody implements Access {
        @Override
        public Optional<Principal> token(String secret) {
            return Optional.empty();
        }

        @Override
        public Optional<Principal> device(String name, String password) {
            return Optional.empty();
        }

        @Override
        public Optional<Principal> mailUser(String name, String password) {
            return Optional.empty();
        }
    }
}
