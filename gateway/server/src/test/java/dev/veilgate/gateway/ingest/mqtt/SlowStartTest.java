package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.files.LockFile;
import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/**
 * A start of the embedded broker that takes long is no damage: here it reads a file of a store that is a pipe, which
 * nobody writes to for a while.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class SlowStartTest {
    private static final Duration SLOW = Duration.ofSeconds(12);
    private static final Duration SOON = Duration.ofSeconds(90);

    private final int port = FreePort.choose();
    private final String url = "tcp://127.0.0.1:" + port;

    @TempDir
    private Path folder;

    private byte[] current = {};
    private FileChannel writer;

    /** Leaves a session with a message, and makes the next start wait for a store. */
    @BeforeEach
    void slowDown() throws Exception {
        try (Broker broker = broker()) {
            start(broker);
            try (Device pager = Device.of(url, Devices.PAGER).connect()) {
                assertThat(pager.subscribe("alerts/#")).isEqualTo(1);
            }
            broker.publish("alerts/fire", "urgent".getBytes(StandardCharsets.UTF_8))
                    .get(60, TimeUnit.SECONDS);
        }
        current = Files.readAllBytes(pipe());
        Files.delete(pipe());
        assertThat(new ProcessBuilder("mkfifo", pipe().toString()).start().waitFor())
                .isZero();
        writer = FileChannel.open(pipe(), StandardOpenOption.READ, StandardOpenOption.WRITE); // does not wait
    }

    private Path pipe() {
        return folder.resolve("mqtt/data/persistence/publish_payload_store/040500_R/publish_payload_store_0/CURRENT");
    }

    private void goOn() throws IOException {
        writer.write(ByteBuffer.wrap(current));
        writer.close();
    }

    private Broker broker() {
        return Brokers.of(
                EmbeddedBrokerTest.settings(
                        Map.of("embedded.listen", "127.0.0.1:" + port, "embedded.start-timeout", "1s")),
                folder.resolve("mqtt"),
                new Devices(),
                new DefaultSslBundleRegistry(),
                Devices.TOPICS,
                new SimpleMeterRegistry());
    }

    private static void start(Broker broker) {
        broker.start((sender, envelope) -> CompletableFuture.completedFuture(Optional.empty()));
    }

    private List<Path> asides() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("mqtt"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("data-damaged-"))
                    .toList();
        }
    }

    private boolean isHeld() throws IOException {
        Optional<LockFile> free = LockFile.tryLock(folder.resolve("mqtt/lock"));
        if (free.isPresent()) {
            free.get().close();
        }
        return free.isEmpty();
    }

    @Test
    void isWaitedForAndKeepsSessions() throws Exception {
        try (Broker broker = broker()) {
            CompletableFuture<Void> started = CompletableFuture.runAsync(() -> start(broker));
            MqttHealth health = new MqttHealth(broker);
            await().during(SLOW).atMost(SLOW.plus(SOON)).untilAsserted(() -> {
                assertThat(broker.ready()).isFalse();
                assertThat(broker.starting()).isTrue();
                assertThat(health.health().getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
                assertThat(asides()).isEmpty();
            });
            assertThat(broker.status())
                    .matches("starting for [0-9]+ s, waits for RocksDBLocalPersistence\\.lambda\\$start\\$0");
            goOn();
            started.get(SOON.toSeconds(), TimeUnit.SECONDS);
            assertThat(broker.ready()).isTrue();
            assertThat(health.health().getStatus()).isEqualTo(Status.UP);
            try (Device pager = Device.of(url, Devices.PAGER).connect()) {
                assertThat(pager.next().text()).isEqualTo("urgent");
            }
        }
        assertThat(asides()).isEmpty();
    }

    @Test
    void endsWhenTheProgramIsStopped() throws Exception {
        Broker broker = broker();
        broker.prepare();
        await().atMost(SOON).until(() -> broker.status().contains("RocksDBLocalPersistence"));
        long began = System.nanoTime();
        broker.close();
        assertThat(System.nanoTime() - began).isLessThan(Duration.ofMinutes(2).toNanos());
        assertThat(broker.ready()).isFalse();
        assertThat(asides()).isEmpty();
        assertThat(isHeld()).as("the folder, by the one that still starts").isTrue();
        goOn();
        await().atMost(SOON).until(() -> !isHeld());
    }
}
