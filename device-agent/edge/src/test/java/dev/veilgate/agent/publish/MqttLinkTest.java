package dev.veilgate.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.agent.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MqttLinkTest {
    private static long mqttThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("MQTT"))
                .count();
    }

    private static MqttOptions options(int port) {
        return new MqttOptions(
                URI.create("mqtt://127.0.0.1:" + port),
                "client",
                "",
                null,
                new MqttOptions.TlsOptions(null, null, null, null, null),
                Duration.ofSeconds(30),
                Duration.ofDays(1),
                Duration.ofSeconds(1),
                Duration.ofSeconds(60),
                16,
                Duration.ofSeconds(1));
    }

    /** The system takes the connections; nobody reads them. An agent tries for days. */
    @Test
    void aBrokerThatNeverAnswersCostsNoThreads() throws Exception {
        long before = mqttThreads();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 4; i++) {
                assertThatThrownBy(() -> MqttLink.connect(options(silent.getLocalPort()), "topic", event -> {}))
                        .isInstanceOf(IOException.class);
            }
            assertThat(silent.isBound()).isTrue();
            Await.until("the end of the threads", () -> mqttThreads() <= before);
        }
    }
}
