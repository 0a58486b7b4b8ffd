package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.testing.FreePort;
import dev.veilgate.testing.SmallDisk;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.rocksdb.RocksDB;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.util.FileSystemUtils;

/** A disk without room is no damage: the broker's folder is kept, and the start goes on when there is room. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class BrokerOnFullDiskTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration FULL = Duration.ofSeconds(4);

    private final int port = FreePort.choose();
    private final String url = "tcp://127.0.0.1:" + port;
    private SmallDisk disk;

    @BeforeEach
    void mount() throws IOException {
        disk = new SmallDisk(256);
    }

    @AfterEach
    void unmount() {
        disk.close();
    }

    private Broker start() {
        Broker broker = Brokers.of(
                EmbeddedBrokerTest.settings(Map.of("embedded.listen", "127.0.0.1:" + port)),
                mqtt(),
                new Devices(),
                new DefaultSslBundleRegistry(),
                Devices.TOPICS,
                new SimpleMeterRegistry());
        broker.start((sender, envelope) -> CompletableFuture.completedFuture(Optional.empty()));
        return broker;
    }

    private Path mqtt() {
        return disk.folder().resolve("data/mqtt");
    }

    private void leaveAnAlertForThePager() throws Exception {
        try (Broker broker = start()) {
            try (Device pager = Device.of(url, Devices.PAGER).connect()) {
                assertThat(pager.subscribe("alerts/#")).isEqualTo(1);
            }
            broker.publish("alerts/fire", "urgent".getBytes(StandardCharsets.UTF_8))
                    .get(60, TimeUnit.SECONDS);
        }
    }

    private void requireTheAlert() throws Exception {
        try (Device pager = Device.of(url, Devices.PAGER).connect()) {
            assertThat(pager.next().text()).isEqualTo("urgent");
        }
        assertThat(asides()).isEmpty();
    }

    private void leaveFree(long bytes) throws IOException {
        byte[] block = new byte[1 << 20];
        try (OutputStream filler = Files.newOutputStream(disk.folder().resolve("of-others"))) {
            while (Files.getFileStore(disk.folder()).getUsableSpace() > bytes) {
                filler.write(block);
            }
        }
    }

    private List<Path> asides() throws IOException {
        try (Stream<Path> files = Files.list(mqtt())) {
            return files.filter(file -> file.getFileName().toString().startsWith("data-damaged-"))
                    .toList();
        }
    }

    @Test
    void startedWhileTheDiskIsFullItWaitsForRoom() throws Exception {
        leaveAnAlertForThePager();
        disk.fill();
        long began = System.nanoTime();
        try (Broker broker = start()) {
            assertThat(System.nanoTime() - began).as("others start meanwhile").isLessThan(SOON.toNanos());
            await().during(FULL).atMost(FULL.plus(SOON)).untilAsserted(() -> {
                assertThat(broker.ready()).isFalse();
                assertThat(broker.status())
                        .startsWith("not started: no room on the disk of " + mqtt() + ": ")
                        .endsWith("starts when 64 MB are free; 0 MB are, 64 MB more are needed");
                assertThat(asides()).isEmpty();
            });
            disk.free();
            await().atMost(SOON).until(broker::ready);
            assertThat(broker.status()).startsWith("listening on ");
            requireTheAlert();
        }
    }

    @Test
    void saysHowMuchIsMissingWhileRoomComesAndGoes() throws Exception {
        leaveAnAlertForThePager();
        leaveFree(40 << 20);
        try (Broker broker = start()) {
            assertThat(broker.status()).matches(".* (39|40) MB are, 2[45] MB more are needed");
            disk.fill();
            await().atMost(SOON).until(() -> broker.status().endsWith(" 0 MB are, 64 MB more are needed"));
        }
    }

    /** Lets the launch of the next start find the disk full. */
    private Thread fillAtTheLaunch() throws IOException {
        leaveFree(66 << 20);
        Path written = mqtt().resolve("conf/config.xml"); // just before the launch
        Files.setLastModifiedTime(written, FileTime.fromMillis(0));
        ByteBuffer rest = ByteBuffer.allocateDirect(66 << 20); // written at once: the launch must find the disk full
        return Thread.ofPlatform().start(() -> {
            try (FileChannel out = FileChannel.open(
                    disk.folder().resolve("of-others-too"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
                while (Files.getLastModifiedTime(written).toMillis() == 0) {
                    Thread.onSpinWait();
                }
                out.write(rest);
                disk.fill();
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** More than the fillers of the launch took: what the broker wrote before them is not given back by it. */
    private void makeRoom() throws IOException {
        Files.delete(disk.folder().resolve("of-others-too"));
        Files.delete(disk.folder().resolve("of-others"));
    }

    @Test
    void aDiskThatBecomesFullDuringTheStartIsNoDamage() throws Exception {
        leaveAnAlertForThePager();
        Thread filler = fillAtTheLaunch();
        try (Broker broker = start()) {
            filler.join();
            await().during(FULL).atMost(SOON).until(() -> asides().isEmpty());
            makeRoom();
            await().atMost(SOON)
                    .untilAsserted(
                            () -> assertThat(broker.ready()).as(broker.status()).isTrue());
            requireTheAlert();
        }
    }

    /** As one leaves it that opened some stores, found no room for another, and hangs: its files are replaced by copies, at the same path. */
    @Test
    void startsBesideOneThatHangsWithAStoreOpen() throws Exception {
        leaveAnAlertForThePager();
        Path data = mqtt().resolve("data");
        Path store = data.resolve("persistence/publish_payload_store/040500_R/publish_payload_store_0");
        try (RocksDB held = RocksDB.open(store.toString())) {
            assertThat(held.isOwningHandle()).isTrue();
            Path left = mqtt().resolve("data-of-the-hanging");
            Files.move(data, left);
            FileSystemUtils.copyRecursively(left, data);
            try (Broker broker = start()) {
                assertThat(broker.ready()).as(broker.status()).isTrue();
                requireTheAlert();
            }
        }
    }

    @Test
    void damageIsStillToldWhenThereIsRoomAgain() throws Exception {
        leaveAnAlertForThePager();
        try (Stream<Path> files = Files.walk(mqtt().resolve("data"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.write(file, new byte[0]);
            }
        }
        disk.fill();
        try (Broker broker = start()) {
            assertThat(broker.ready()).isFalse();
            assertThat(asides()).isEmpty();
            disk.free();
            await().atMost(SOON.plus(SOON)).until(broker::ready);
            assertThat(asides()).hasSize(1);
            try (Device device = Device.of(url, "press-1").connect()) {
                assertThat(device.publish("goes on").get(60, TimeUnit.SECONDS).code())
                        .isZero();
            }
        }
    }

    @Test
    void endsWhileTheDiskThatBecameFullStaysSo() throws Exception {
        leaveAnAlertForThePager();
        Thread filler = fillAtTheLaunch();
        Broker broker = start();
        filler.join();
        long began = System.nanoTime();
        broker.close();
        assertThat(System.nanoTime() - began).isLessThan(SOON.toNanos());
        assertThat(asides()).isEmpty();
    }

    @Test
    void endsWhileItWaits() throws Exception {
        leaveAnAlertForThePager();
        disk.fill();
        Broker broker = start();
        broker.close();
        assertThat(broker.ready()).isFalse();
        disk.free();
        try (Broker next = start()) {
            await().atMost(SOON).until(next::ready);
            requireTheAlert();
        }
    }
}
