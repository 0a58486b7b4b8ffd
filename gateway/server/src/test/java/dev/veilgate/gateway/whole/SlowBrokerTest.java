package dev.veilgate.gateway.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.veilgate.gateway.TestTenant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway whose embedded broker takes long to start is not ready, says so, and ends when it is told to. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SlowBrokerTest {
    private static final TestTenant ACME = TestTenant.of(GatewayProcess.TENANT);

    @Test
    void isNotReadyWhileItsBrokerStartsAndEndsByASignal(@TempDir Path folder) throws Exception {
        try (GatewayProcess gateway = new GatewayProcess(folder, ACME)) {
            gateway.start();
            gateway.stop();
            Path pipe = gateway.data()
                    .resolve("mqtt/data/persistence/publish_payload_store/040500_R/publish_payload_store_0/CURRENT");
            Files.delete(pipe);
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
            gateway.launch();
            await().atMost(Duration.ofMinutes(3))
                    .until(() ->
                            Files.readString(gateway.log()).contains("MQTT: the embedded broker is starting for "));
            gateway.health("/readiness").ifPresent(answer -> {
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body()).contains("OUT_OF_SERVICE");
            });
            long began = System.nanoTime();
            gateway.stop();
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMinutes(1));
            assertThat(gateway.data().resolve("mqtt")).isDirectoryNotContaining("glob:**data-damaged-*");
        }
    }
}
