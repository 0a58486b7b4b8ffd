package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/** The broker's folder holds what may be lost: damaged, it must not keep the gateway from starting. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class DamagedFolderTest {
    @TempDir
    private Path folder;

    enum Damage {
        NOISE,
        EMPTY,
        CUT
    }

    private Broker start(int port) {
        Broker broker = Brokers.of(
                EmbeddedBrokerTest.settings(Map.of("embedded.listen", "127.0.0.1:" + port)),
                folder.resolve("mqtt"),
                new Devices(),
                new DefaultSslBundleRegistry(),
                Devices.TOPICS,
                new SimpleMeterRegistry());
        broker.start((sender, envelope) -> CompletableFuture.completedFuture(Optional.empty()));
        return broker;
    }

    @ParameterizedTest
    @EnumSource
    void isMovedAsideAndBegunAnew(Damage damage) throws Exception {
        int port = FreePort.choose();
        String url = "tcp://127.0.0.1:" + port;
        try (Broker broker = start(port)) {
            try (Device pager = Device.of(url, Devices.PAGER).connect()) {
                assertThat(pager.subscribe("alerts/#")).isEqualTo(1);
            }
            broker.publish("alerts/fire", "urgent".getBytes(StandardCharsets.UTF_8))
                    .get(60, TimeUnit.SECONDS);
        }
        damage(damage);
        try (Broker broker = start(port)) {
            assertThat(broker.ready()).isTrue();
            try (Device device = Device.of(url, "press-1").connect()) {
                assertThat(device.publish("goes on").get(60, TimeUnit.SECONDS).code())
                        .isZero();
            }
        }
        assertThat(asides()).hasSize(1);
        try (Broker broker = start(port)) { // the new one is kept
            assertThat(broker.ready()).isTrue();
        }
        assertThat(asides()).hasSize(1);
    }

    /** Damage goes on: another folder beside the first helps nobody. */
    @Test
    void isMovedAsideOnceAnHour() throws Exception {
        int port = FreePort.choose();
        try (Broker broker = start(port)) {
            assertThat(broker.ready()).isTrue();
        }
        damage(Damage.NOISE);
        try (Broker broker = start(port)) {
            assertThat(broker.ready()).isTrue();
        }
        damage(Damage.NOISE);
        assertThatThrownBy(() -> start(port))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("damaged again");
        assertThat(asides()).hasSize(1);
        Files.writeString(
                folder.resolve("mqtt/set-aside"),
                Instant.now().minus(Duration.ofMinutes(61)).toString());
        try (Broker broker = start(port)) {
            assertThat(broker.ready()).isTrue();
        }
        assertThat(asides()).hasSize(2);
    }

    @Test
    void isLeftToWhoeverHasIt() throws Exception {
        try (Broker broker = start(FreePort.choose())) {
            assertThatThrownBy(() -> start(FreePort.choose()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("in use by another process");
            assertThat(broker.ready()).isTrue();
        }
        assertThat(asides()).isEmpty();
    }

    private List<Path> asides() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("mqtt"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("data-damaged-"))
                    .toList();
        }
    }

    private void damage(Damage how) throws IOException {
        Random random = new Random(7);
        try (Stream<Path> files = Files.walk(folder.resolve("mqtt/data"))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                switch (how) {
                    case NOISE -> random.nextBytes(bytes);
                    case EMPTY -> bytes = new byte[0];
                    case CUT -> bytes = Arrays.copyOf(bytes, bytes.length / 2);
                }
                Files.write(file, bytes);
            }
        }
    }
}
