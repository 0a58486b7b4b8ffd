package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/** What the embedded broker takes on disk follows from what it holds, not from the memory of the machine. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class BrokerFolderTest {
    private static final long MEGABYTE = 1 << 20;
    private static final int NOTICES = 600;
    private static final int DEAD_LETTERS = 60;
    private static final byte[] DEAD_LETTER = new byte[256 << 10];

    @TempDir
    private Path folder;

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

    @Test
    void staysSmallBesideWhatItHolds() throws Exception {
        int port = FreePort.choose();
        String url = "tcp://127.0.0.1:" + port;
        try (Broker broker = start(port)) {
            assertThat(takenOnDisk()).isLessThan(32 * MEGABYTE);
            assertThat(folder.resolve("mqtt/data/persistence/retained_messages"))
                    .as("of the kind that sets hundreds of megabytes aside some seconds later")
                    .isDirectoryNotContaining("glob:**_R");
            for (int round = 0; round < 3; round++) {
                try (Device pager = Device.of(url, Devices.PAGER).connect()) {
                    assertThat(pager.subscribe("alerts/#")).isEqualTo(1);
                }
                fill(broker);
                assertThat(takenOnDisk()).isLessThan(64 * MEGABYTE + (round + 1) * DEAD_LETTERS * DEAD_LETTER.length);
                try (Device pager = Device.of(url, Devices.PAGER).connect()) {
                    for (int i = 0; i < NOTICES + DEAD_LETTERS; i++) {
                        pager.next();
                    }
                }
            }
        }
        try (Broker broker = start(port)) {
            assertThat(broker.ready()).isTrue();
            assertThat(takenOnDisk()).isLessThan(96 * MEGABYTE);
        }
    }

    private static void fill(Broker broker) throws Exception {
        List<CompletableFuture<Void>> taken = new ArrayList<>();
        byte[] notice = "urgent".repeat(50).getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < NOTICES; i++) {
            taken.add(broker.publish("alerts/fire", notice));
        }
        for (int i = 0; i < DEAD_LETTERS; i++) {
            taken.add(broker.publish("alerts/refused", DEAD_LETTER));
        }
        CompletableFuture.allOf(taken.toArray(CompletableFuture[]::new)).get(120, TimeUnit.SECONDS);
    }

    /** Blocks of the file system, also those that are set aside in advance. Measured again if the broker removed a file meanwhile. */
    private long takenOnDisk() throws IOException, InterruptedException {
        for (int tried = 1; ; tried++) {
            Process du =
                    new ProcessBuilder("du", "-s", "-k", folder.resolve("mqtt").toString()).start();
            String line = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String error = new String(du.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            if (du.waitFor() == 0) {
                return Long.parseLong(line.split("\\s")[0]) << 10;
            }
            assertThat(tried).as(error).isLessThan(10);
        }
    }
}
