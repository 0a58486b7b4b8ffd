package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.TestTenant;
import dev.veilgate.testing.SmallDisk;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an operator is told of a gateway that was started while its disk had no room. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class StartOnFullDiskTest {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path folder;

    private static JsonNode health(GatewayProcess gateway) throws InterruptedException {
        return gateway.health("").map(HttpResponse::body).map(JSON::readTree).orElseGet(JSON::createObjectNode);
    }

    private static Optional<Integer> status(GatewayProcess gateway, String path) throws InterruptedException {
        return gateway.health(path).map(HttpResponse::statusCode);
    }

    private static Path leaveFree(Path disk, long bytes) throws IOException {
        Path file = disk.resolve("of-others");
        byte[] block = new byte[1 << 20];
        try (OutputStream filler = Files.newOutputStream(file)) {
            while (Files.getFileStore(disk).getUsableSpace() > bytes) {
                filler.write(block);
            }
        }
        return file;
    }

    @Test
    void healthAndLogSayWhatItWaitsForAndHowMuchIsMissing() throws Exception {
        try (var disk = new SmallDisk(512);
                var gateway = new GatewayProcess(
                        disk.folder(),
                        TestTenant.of(GatewayProcess.TENANT),
                        "management.endpoint.health.show-details=always")) {
            gateway.start();
            assertThat(gateway.stop()).isIn(0, 143);
            gateway.logTo(folder.resolve("log"));
            Path filler = leaveFree(disk.folder(), 20 << 20);
            gateway.launch();
            await().atMost(LONG).until(() -> gateway.health("").isPresent());
            assertThat(status(gateway, "")).hasValue(503);
            assertThat(status(gateway, "/readiness")).hasValue(503);
            assertThat(status(gateway, "/liveness"))
                    .as("to kill it would not help")
                    .hasValue(200);
            JsonNode mqtt = health(gateway).at("/components/mqtt");
            assertThat(mqtt.at("/status").asString()).isEqualTo("DOWN");
            String reason = mqtt.at("/details/broker").asString();
            assertThat(reason)
                    .startsWith("not started: no room on the disk of ")
                    .matches(".* 64 MB are free; \\d+ MB are, (4[4-9]|5\\d) MB more are needed");
            JsonNode room = health(gateway).at("/components/disk");
            assertThat(room.at("/status").asString()).isEqualTo("DOWN");
            assertThat(room.at("/details/free").asLong()).isLessThan(21 << 20);
            assertThat(Files.readString(gateway.log()))
                    .containsOnlyOnce("no room on the disk of ")
                    .contains(" MB more are needed");
            Files.delete(filler);
            await().atMost(LONG).until(() -> status(gateway, "/readiness").equals(Optional.of(200)));
            assertThat(health(gateway).at("/components/mqtt/details/broker").asString())
                    .startsWith("listening on ");
            assertThat(Files.readString(gateway.log())).contains("there is room on the disk of ");
            assertThat(gateway.stop()).isIn(0, 143);
        }
    }
}
