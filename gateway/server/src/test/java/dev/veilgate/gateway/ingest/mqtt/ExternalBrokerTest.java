package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.gateway.broker.MqttSettings;
import dev.veilgate.gateway.ingest.Receipt;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

/** The gateway as a client of a real mosquitto, in front of a disk that the test turns by hand. */
final class ExternalBrokerTest {
    private final HeldIngestion ingestion = new HeldIngestion();

    @TempDir
    private Path folder;

    private Broker gateway(int port, String... more) {
        Map<String, String> values = new HashMap<>(
                Map.of("broker", "external", "external.uri", "mqtt://127.0.0.1:" + port, "receive-maximum", "8"));
        for (int i = 0; i < more.length; i += 2) {
            values.put(more[i], more[i + 1]);
        }
        return started(EmbeddedBrokerTest.settings(values), new DefaultSslBundleRegistry());
    }

    private Broker started(MqttSettings settings, DefaultSslBundleRegistry bundles) {
        Broker broker = Brokers.of(settings, folder, new Devices(), bundles, Devices.TOPICS, new SimpleMeterRegistry());
        broker.start(new EnvelopeIntake(
                ingestion, broker, Devices.TOPICS, settings.deadLetterTopic(), new SimpleMeterRegistry()));
        return broker;
    }

    private static Broker connected(Broker broker) {
        Await.until("the connection", broker::ready);
        return broker;
    }

    @Test
    void acknowledgesOnlyWhatIsDurableAndLosesNothing() throws Exception {
        int port = FreePort.choose();
        List<String> sent = IntStream.range(0, 200).mapToObj(i -> "number " + i).toList();
        try (Mosquitto mosquitto = Mosquitto.start(folder.resolve("mosquitto"), port);
                Device device = Device.of("tcp://127.0.0.1:" + port, "press-1").connect()) {
            try (Broker first = connected(gateway(port))) {
                for (String text : sent.subList(0, 100)) {
                    assertThat(device.publish(text).get(60, TimeUnit.SECONDS).code())
                            .isZero();
                }
                for (int i = 0; i < 20; i++) {
                    HeldIngestion.Held held = ingestion.next();
                    assertThat(held.from().name()).isEqualTo("press-1");
                    assertThat(held.from().tenant()).isEqualTo("acme");
                    held.durable();
                }
                Await.until("more", () -> ingestion.submitted().size() > 20);
                assertThat(first.ready()).isTrue();
            } // the gateway goes away with some that are not durable
            for (String text : sent.subList(100, 150)) {
                device.publish(text).get(60, TimeUnit.SECONDS);
            }
            ingestion.clear();
            List<String> taken = Collections.synchronizedList(new ArrayList<>());
            ingestion.answer = text -> {
                taken.add(text);
                return HeldIngestion.durable();
            };
            try (Broker second = connected(gateway(port))) {
                Await.until("the rest", () -> taken.contains("number 149"));
                // on the same connection behind the acknowledgements: when this is answered, they have arrived
                second.publish("alerts/behind", new byte[] {1}).get(60, TimeUnit.SECONDS);
                mosquitto.stop();
                Await.until("the loss", () -> !second.ready());
                assertThat(second.status()).contains("not connected");
                mosquitto.start();
                connected(second);
                try (Device again =
                        Device.of("tcp://127.0.0.1:" + port, "press-2").connect()) {
                    for (String text : sent.subList(150, 200)) {
                        again.publish(text).get(60, TimeUnit.SECONDS);
                    }
                }
                Await.until("the last", () -> taken.contains("number 199"));
            }
            // each that was not durable once; of those that were when gateway or broker went away, those again whose
            // acknowledgement was still under way, which are 8 at most
            List<Integer> numbers = taken.stream().map(sent::indexOf).toList();
            int there = numbers.indexOf(149) + 1;
            assertThat(numbers.subList(0, there).stream().filter(number -> number >= 20))
                    .containsExactlyElementsOf(range(20, 150));
            assertThat(numbers.subList(there, numbers.size()))
                    .endsWith(range(150, 200).toArray(Integer[]::new));
            assertThat(numbers.subList(there, numbers.size() - 50))
                    .doesNotHaveDuplicates()
                    .isSubsetOf(range(142, 150));
            assertThat(taken).doesNotContain("number 0");
        }
    }

    private static List<Integer> range(int from, int to) {
        return IntStream.range(from, to).boxed().toList();
    }

    @Test
    void offersAgainWhatCanOnlyBeTakenLaterAndCopiesTheRestToDeadLetters() throws Exception {
        int port = FreePort.choose();
        String url = "tcp://127.0.0.1:" + port;
        AtomicInteger full = new AtomicInteger(2);
        ingestion.answer = text -> {
            if (text.startsWith("forged")) {
                return HeldIngestion.refused(Refusal.BAD_SIGNATURE);
            }
            return full.getAndDecrement() > 0 ? HeldIngestion.refused(Refusal.STORAGE_FULL) : HeldIngestion.durable();
        };
        try (Mosquitto _ = Mosquitto.start(folder.resolve("mosquitto"), port);
                Broker _ = connected(gateway(port));
                Device pager = Device.of(url, Devices.PAGER).connect();
                Device device = Device.of(url, "press-1").connect()) {
            pager.subscribe("veilgate/dead-letter");
            device.publish("good").get(60, TimeUnit.SECONDS);
            Await.until("the third offer", () -> ingestion.submitted().size() == 3);
            device.publish("veilgate/v1/acme/press-1/more", new byte[] {1}, 1).get(60, TimeUnit.SECONDS);
            device.publish("forged").get(60, TimeUnit.SECONDS);
            Device.Received dead = pager.next();
            assertThat(dead.text()).isEqualTo("forged");
            assertThat(dead.properties())
                    .containsEntry("reason", "bad-signature")
                    .containsEntry("sender", "press-1");
            assertThat(ingestion.submitted()).containsExactly("good", "good", "good", "forged");
        }
    }

    @Test
    void sharesTheWorkWithOtherGateways() throws Exception {
        int port = FreePort.choose();
        ingestion.answer = text -> {
            CompletableFuture<Receipt> later = new CompletableFuture<>();
            later.completeOnTimeout(new Receipt(Optional.empty(), false), 2, TimeUnit.MILLISECONDS);
            return later;
        };
        HeldIngestion other = new HeldIngestion();
        other.answer = ingestion.answer;
        try (Mosquitto _ = Mosquitto.start(folder.resolve("mosquitto"), port);
                Broker _ = connected(gateway(port));
                Broker second = Brokers.of(
                        EmbeddedBrokerTest.settings(Map.of(
                                "broker", "external",
                                "external.uri", "mqtt://127.0.0.1:" + port,
                                "external.client-id", "second")),
                        folder,
                        new Devices(),
                        new DefaultSslBundleRegistry(),
                        Devices.TOPICS,
                        new SimpleMeterRegistry());
                Device device = Device.of("tcp://127.0.0.1:" + port, "press-1").connect()) {
            second.start(new EnvelopeIntake(other, second, Devices.TOPICS, "", new SimpleMeterRegistry()));
            connected(second);
            for (int i = 0; i < 100; i++) {
                device.publish("number " + i).get(60, TimeUnit.SECONDS);
            }
            Await.until(
                    "all",
                    () -> ingestion.submitted().size() + other.submitted().size() >= 100);
            assertThat(ingestion.submitted()).isNotEmpty().doesNotContainAnyElementsOf(other.submitted());
            assertThat(other.submitted()).isNotEmpty();
        }
    }

    @Test
    void logsInOverTls() throws Exception {
        TestCertificate certificate = TestCertificate.make(folder);
        Path chain = pem(
                "CERTIFICATE", certificate.keyStore().getCertificate("server").getEncoded());
        Key key = certificate.keyStore().getKey("server", certificate.password().toCharArray());
        Path keyFile = pem("PRIVATE KEY", key.getEncoded());
        Path passwords = folder.resolve("passwords");
        assertThat(new ProcessBuilder("mosquitto_passwd", "-b", "-c", passwords.toString(), "gateway", "right")
                        .start()
                        .waitFor())
                .isZero();
        Path password = Files.writeString(folder.resolve("password"), "wrong\n");
        int port = FreePort.choose();
        int tlsPort = FreePort.choose();
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("ca", certificate.keyStore().getCertificate("server"));
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
        bundles.registerBundle("broker", SslBundle.of(SslStoreBundle.of(null, null, trusted)));
        Map<String, String> values = Map.of(
                "broker", "external",
                "external.uri", "mqtts://localhost:" + tlsPort,
                "external.tls-bundle", "broker",
                "external.user", "gateway",
                "external.password-file", password.toString());
        ingestion.answer = text -> HeldIngestion.durable();
        try (Mosquitto _ = Mosquitto.start(
                        folder.resolve("mosquitto"),
                        port,
                        "listener " + tlsPort + " 127.0.0.1",
                        "certfile " + chain,
                        "keyfile " + keyFile,
                        "allow_anonymous false",
                        "password_file " + passwords);
                Broker gateway = started(EmbeddedBrokerTest.settings(values), bundles)) {
            Await.until("the refusal", () -> gateway.status().contains("reason code 135"));
            Files.writeString(password, "right\n");
            connected(gateway);
            assertThat(gateway.status()).contains("mqtts://localhost:" + tlsPort);
        }
    }

    private Path pem(String kind, byte[] der) throws Exception {
        Path file = folder.resolve(kind.replace(' ', '-') + ".pem");
        try (OutputStream out = new FileOutputStream(file.toFile())) {
            out.write(("-----BEGIN " + kind + "-----\n"
                            + Base64.getMimeEncoder().encodeToString(der)
                            + "\n-----END " + kind + "-----\n")
                    .getBytes(StandardCharsets.US_ASCII));
        }
        return file;
    }
}
