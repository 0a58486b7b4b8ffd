package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/** What an operator sees of the embedded broker. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class BrokerMetersTest {
    private static final String DEAD_LETTERS = "veilgate/dead-letter";

    @TempDir
    private Path folder;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final HeldIngestion ingestion = new HeldIngestion();
    private final int port = FreePort.choose();
    private final String url = "tcp://127.0.0.1:" + port;

    private Broker start() {
        Broker broker = Brokers.of(
                EmbeddedBrokerTest.settings(Map.of("embedded.listen", "127.0.0.1:" + port, "embedded.queue", "5")),
                folder.resolve("mqtt"),
                new Devices(),
                new DefaultSslBundleRegistry(),
                Devices.TOPICS,
                meters);
        broker.start(new EnvelopeIntake(ingestion, broker, Devices.TOPICS, DEAD_LETTERS, meters));
        return broker;
    }

    private double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    private double counter(String name, String tag, String value) {
        return meters.get(name).tag(tag, value).counter().count();
    }

    @Test
    void followConnectionsSessionsMessagesAndQueues() throws Exception {
        try (Broker broker = start()) {
            try (Device pager = Device.of(url, Devices.PAGER).connect()) {
                assertThat(pager.subscribe("alerts/#")).isEqualTo(1);
                assertThat(gauge("veilgate.mqtt.connections")).isEqualTo(1);
            }
            for (int i = 0; i < 3; i++) {
                broker.publish("alerts/fire", new byte[] {1}).get(60, TimeUnit.SECONDS);
            }
            Await.until("three that wait", () -> gauge("veilgate.mqtt.waiting") == 3);
            assertThat(gauge("veilgate.mqtt.waiting.longest")).isEqualTo(3);
            for (int i = 0; i < 4; i++) {
                broker.publish("alerts/fire", new byte[] {1}).get(60, TimeUnit.SECONDS);
            }
            Await.until(
                    "two that are dropped",
                    () -> meters.get("veilgate.mqtt.dropped").functionCounter().count() == 2);
            assertThat(gauge("veilgate.mqtt.waiting.longest")).isEqualTo(5);
            publishOneOfEach();
            // Messages of devices, which the broker delivers to nobody, are none that were dropped.
            assertThat(meters.get("veilgate.mqtt.dropped").functionCounter().count())
                    .isEqualTo(2);
            assertThat(gauge("veilgate.mqtt.sessions")).isEqualTo(2);
            assertThat(counter("veilgate.mqtt.connects", "result", "success")).isEqualTo(2);
            assertThat(counter("veilgate.mqtt.connects", "result", "bad_user_name_or_password"))
                    .isEqualTo(1);
            assertThat(counter("veilgate.mqtt.dead.letters", "result", "published"))
                    .isEqualTo(1);
            assertThat(counter("veilgate.mqtt.traffic", "direction", "in")).isGreaterThan(10_000);
            assertThat(counter("veilgate.mqtt.traffic", "direction", "out")).isBetween(20.0, 10_000.0);
            try (Device pager = Device.of(url, Devices.PAGER).connect()) {
                for (int i = 0; i < 5; i++) {
                    pager.next();
                }
                Await.until("none that waits", () -> gauge("veilgate.mqtt.waiting") == 0);
            }
            Await.until("no connection", () -> gauge("veilgate.mqtt.connections") == 0);
            assertThat(labels()).noneMatch(each -> each.contains("press") || each.contains("acme"));
        }
        try (Broker _ = start()) {
            assertThat(gauge("veilgate.mqtt.sessions")).isEqualTo(2); // of the broker that runs now
        }
    }

    private void publishOneOfEach() throws Exception {
        Device wrong = Device.of(url, "press-1");
        wrong.options.setPassword("wrong".getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(wrong::connect).isInstanceOf(MqttException.class);
        ingestion.answer = text -> text.startsWith("good")
                ? HeldIngestion.durable()
                : HeldIngestion.refused(text.startsWith("bad") ? Refusal.MALFORMED : Refusal.STORAGE_FULL);
        try (Device device = Device.of(url, "press-1").connect()) {
            device.publish("good" + "x".repeat(10_000)).get(60, TimeUnit.SECONDS);
            device.publish("bad").get(60, TimeUnit.SECONDS);
            device.publish("full").get(60, TimeUnit.SECONDS);
            device.publish(Device.topic("press-2"), new byte[] {1}, 1).get(60, TimeUnit.SECONDS);
            device.publish(Device.topic("press-1"), new byte[] {1}, 0).get(60, TimeUnit.SECONDS);
            for (String result : List.of("taken", "malformed", "storage_full", "not_own_topic", "qos_0")) {
                Await.until(
                        result,
                        () -> Stream.ofNullable(meters.find("veilgate.mqtt.publishes")
                                        .tag("result", result)
                                        .counter())
                                .anyMatch(found -> found.count() == 1));
            }
        }
    }

    private Stream<String> labels() {
        return meters.getMeters().stream()
                .flatMap(meter -> meter.getId().getTags().stream().map(Tag::getValue));
    }
}
