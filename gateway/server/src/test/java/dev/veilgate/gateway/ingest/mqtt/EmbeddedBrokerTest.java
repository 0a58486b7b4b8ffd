package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.gateway.broker.MqttSettings;
import dev.veilgate.gateway.ingest.Receipt;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.testing.BrokenConnections;
import dev.veilgate.testing.FreePort;
import dev.veilgate.testing.TlsRelay;
import dev.veilgate.transport.TlsContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

/** The embedded broker with real clients, in front of a disk that the test turns by hand. */
final class EmbeddedBrokerTest {
    private static final int NOT_AUTHORIZED = 0x87;
    private static final int SERVER_UNAVAILABLE = 0x88;

    private static final HeldIngestion INGESTION = new HeldIngestion();

    @TempDir
    private static Path folder;

    private static String url = "";
    private static String tlsUrl = "";
    private static int port;
    private static TestCertificate certificate;
    private static MqttSettings settings;
    private static Broker broker;

    @BeforeAll
    static void startBroker() throws Exception {
        port = FreePort.choose();
        int tlsPort = FreePort.choose();
        url = "tcp://127.0.0.1:" + port;
        tlsUrl = "ssl://localhost:" + tlsPort;
        certificate = TestCertificate.make(folder);
        settings = settings(Map.of(
                "embedded.listen", "127.0.0.1:" + port,
                "embedded.tls-listen", "127.0.0.1:" + tlsPort,
                "embedded.tls-bundle", "mqtt",
                "embedded.max-packet", "300KB",
                "embedded.connect-timeout", "10s"));
        startAgain();
    }

    private static void startAgain() {
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
        bundles.registerBundle(
                "mqtt", SslBundle.of(SslStoreBundle.of(certificate.keyStore(), certificate.password(), null)));
        broker = Brokers.of(
                settings, folder.resolve("mqtt"), new Devices(), bundles, Devices.TOPICS, new SimpleMeterRegistry());
        broker.start(new EnvelopeIntake(
                INGESTION, broker, Devices.TOPICS, settings.deadLetterTopic(), new SimpleMeterRegistry()));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void clear() {
        INGESTION.clear();
    }

    static MqttSettings settings(Map<String, String> values) {
        return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate("", MqttSettings.class);
    }

    @Test
    void acknowledgesOnlyWhatIsDurable() throws Exception {
        try (Device device = Device.of(url, "press-1").connect()) {
            CompletableFuture<Device.Ack> first = device.publish("one");
            CompletableFuture<Device.Ack> second = device.publish("two");
            HeldIngestion.Held held = INGESTION.next();
            assertThat(held.from().tenant()).isEqualTo("acme");
            assertThat(held.from().name()).isEqualTo("press-1");
            // another's goes through meanwhile, so that the broker had its chance to acknowledge too early
            try (Device other = Device.of(url, "press-2").connect()) {
                CompletableFuture<Device.Ack> third = other.publish("three");
                INGESTION.next().durable();
                assertThat(third.get(60, TimeUnit.SECONDS).code()).isZero();
            }
            assertThat(first).isNotDone();
            held.durable();
            assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo(new Device.Ack(0, ""));
            held = INGESTION.next();
            assertThat(second).isNotDone();
            held.durable();
            assertThat(second.get(60, TimeUnit.SECONDS).code()).isZero();
        }
    }

    @Test
    void keepsOrderWithManyInFlight() throws Exception {
        INGESTION.answer = text -> {
            CompletableFuture<Receipt> later = new CompletableFuture<>();
            Thread.startVirtualThread(() -> later.complete(new Receipt(Optional.empty(), false)));
            return later;
        };
        List<String> sent =
                IntStream.range(0, 2000).mapToObj(i -> "number " + i).toList();
        List<Integer> acknowledged = Collections.synchronizedList(new ArrayList<>());
        try (Device device = Device.of(url, "press-1").connect()) {
            Semaphore window = new Semaphore(settings.receiveMaximum());
            for (int i = 0; i < sent.size(); i++) {
                int number = i;
                assertThat(window.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
                device.publish(sent.get(i)).whenComplete((ack, failure) -> {
                    acknowledged.add(failure == null && ack.code() == 0 ? number : -1);
                    window.release();
                });
            }
            assertThat(window.tryAcquire(settings.receiveMaximum(), 60, TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(INGESTION.submitted()).isEqualTo(sent);
        assertThat(acknowledged)
                .isEqualTo(IntStream.range(0, sent.size()).boxed().toList());
    }

    @Test
    void saysWhyAndCopiesToDeadLettersWhatIsRefusedForGood() throws Exception {
        Map<Refusal, Integer> codes = Map.of(
                Refusal.MALFORMED, 0x99,
                Refusal.BAD_SIGNATURE, NOT_AUTHORIZED,
                Refusal.NOT_ALLOWED, NOT_AUTHORIZED,
                Refusal.CLOCK, 0x83,
                Refusal.QUOTA, 0x97,
                Refusal.STORAGE_FULL, 0x97,
                Refusal.UNAVAILABLE, 0x80);
        INGESTION.answer = text -> HeldIngestion.refused(Refusal.valueOf(text));
        try (Device pager = Device.of(url, Devices.PAGER, "dead-letters").connect();
                Device device = Device.of(url, "press-1").connect()) {
            assertThat(pager.subscribe(settings.deadLetterTopic())).isEqualTo(1);
            for (Map.Entry<Refusal, Integer> each : codes.entrySet()) {
                String text = each.getKey().name();
                assertThat(device.publish(text).get(60, TimeUnit.SECONDS))
                        .isEqualTo(new Device.Ack(each.getValue(), "because"));
                if (!each.getKey().temporary()) {
                    Device.Received dead = pager.next();
                    assertThat(dead.text()).isEqualTo(text);
                    assertThat(dead.properties())
                            .containsEntry(
                                    "reason", text.toLowerCase(Locale.ROOT).replace('_', '-'))
                            .containsEntry("detail", "because")
                            .containsEntry("tenant", "acme")
                            .containsEntry("sender", "press-1");
                }
            }
            INGESTION.answer = text -> HeldIngestion.durable();
            assertThat(device.publish("good").get(60, TimeUnit.SECONDS).code()).isZero();
            assertThat(pager.received).isEmpty();
        }
    }

    @Test
    void takesFromMqtt311AndAcknowledgesNothingToItThatIsRefused() throws Exception {
        INGESTION.answer =
                text -> text.startsWith("good") ? HeldIngestion.durable() : HeldIngestion.refused(Refusal.STORAGE_FULL);
        assertThat(exit(mosquittoPub("press-3-secret", "good one"), 60)).isZero();
        Process refused = mosquittoPub("press-3-secret", "bad one");
        Await.until("the other", () -> INGESTION.submitted().contains("bad one"));
        assertThat(exit(refused, 5)).isNotZero();
        assertThat(exit(mosquittoPub("wrong", "good two"), 60)).isPositive();
        assertThat(INGESTION.submitted()).startsWith("good one", "bad one").doesNotContain("good two");
    }

    private static Process mosquittoPub(String password, String text) throws Exception {
        return new ProcessBuilder(
                        "mosquitto_pub",
                        "-V",
                        "mqttv311",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(port),
                        "-u",
                        "press-3",
                        "-P",
                        password,
                        "-q",
                        "1",
                        "-t",
                        Device.topic("press-3"),
                        "-m",
                        text)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Of a program that waits longer, -1. */
    private static int exit(Process process, long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            return -1;
        }
        return process.exitValue();
    }

    @Test
    void letsNobodyInWithoutTheRightPassword() throws Exception {
        Device wrong = Device.of(url, "press-1");
        wrong.options.setPassword("wrong".getBytes(StandardCharsets.UTF_8));
        Device unknown = Device.of(url, "nobody");
        Device anonymous = Device.of(url, "press-1");
        anonymous.options.setUserName(null);
        anonymous.options.setPassword(null);
        for (Device device : List.of(wrong, unknown, anonymous)) {
            assertThatThrownBy(device::connect)
                    .isInstanceOfSatisfying(
                            MqttException.class,
                            e -> assertThat(e.getReasonCode()).isEqualTo(0x86));
        }
    }

    @Test
    void confinesADeviceToItsOwnTopic() throws Exception {
        INGESTION.answer = text -> HeldIngestion.durable();
        try (Device device = Device.of(url, "press-1").connect()) {
            for (String topic : List.of(Device.topic("press-2"), "alerts/x", "veilgate/dead-letter")) {
                assertThat(device.publish(topic, new byte[] {1}, 1)
                                .get(60, TimeUnit.SECONDS)
                                .code())
                        .as(topic)
                        .isEqualTo(NOT_AUTHORIZED);
            }
            for (String filter : List.of("#", Device.topic("press-1"), "alerts/#", "$share/g/alerts/#")) {
                assertThat(device.subscribe(filter)).as(filter).isGreaterThanOrEqualTo(0x80);
            }
            device.publish(Device.topic("press-1"), "without QoS".getBytes(StandardCharsets.UTF_8), 0);
            assertThat(device.publish("with").get(60, TimeUnit.SECONDS).code()).isZero();
            assertThat(INGESTION.submitted()).containsExactly("with");
        }
        Device testator = Device.of(url, "press-1");
        testator.options.setWill("alerts/x", new MqttMessage(new byte[] {1}));
        assertThatThrownBy(testator::connect).isInstanceOf(MqttException.class);
    }

    @Test
    void givesNobodyTheSessionOfAnother() throws Exception {
        try (Device pager = Device.of(url, Devices.PAGER, "same-id").connect()) {
            assertThat(pager.subscribe("alerts/#")).isEqualTo(1);
            try (Device thief = Device.of(url, "press-4", "same-id").connect()) {
                broker.publish("alerts/fire", "urgent".getBytes(StandardCharsets.UTF_8))
                        .get(60, TimeUnit.SECONDS);
                assertThat(pager.next().text()).isEqualTo("urgent");
                assertThat(thief.received).isEmpty();
            }
            assertThat(pager.client.isConnected()).isTrue();
        }
    }

    @Test
    void closesSlowAndSenselessConnectionsAndGoesOn() throws Exception {
        Random random = new Random(4);
        for (int i = 0; i < 8; i++) {
            byte[] garbage = new byte[1 + random.nextInt(2000)];
            random.nextBytes(garbage);
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write(garbage);
                assertClosed(socket);
            }
        }
        try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), port)) {
            byte[] connect = {0x10, 0x20, 0, 4, 'M', 'Q', 'T', 'T', 5};
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            boolean closed = false;
            slow.setSoTimeout(200);
            for (int i = 0; !closed && System.nanoTime() < end; i++) {
                try {
                    slow.getOutputStream().write(i < connect.length ? connect[i] : 0);
                    closed = slow.getInputStream().read() < 0;
                } catch (SocketTimeoutException e) {
                    // not yet
                } catch (IOException e) {
                    closed = true;
                }
            }
            assertThat(closed).isTrue();
        }
        INGESTION.answer = text -> HeldIngestion.durable();
        try (Device device = Device.of(url, "press-1").connect()) {
            assertThat(device.publish("good").get(60, TimeUnit.SECONDS).code()).isZero();
        }
    }

    private static void assertClosed(Socket socket) throws IOException {
        socket.setSoTimeout(60_000);
        try (InputStream in = socket.getInputStream()) {
            while (in.read() >= 0) {
                // an answer may come before the end
            }
        } catch (SocketException e) {
            // reset: closed too
        }
    }

    @Test
    void refusesAPacketOverTheLimit() throws Exception {
        INGESTION.answer = text -> HeldIngestion.durable();
        try (Device device = Device.of(url, "press-1").connect()) {
            byte[] fits = new byte[290_000];
            assertThat(device.publish(Device.topic("press-1"), fits, 1)
                            .get(60, TimeUnit.SECONDS)
                            .code())
                    .isZero();
            CompletableFuture<Device.Ack> tooLarge = device.publish(Device.topic("press-1"), new byte[400_000], 1);
            assertThatThrownBy(() -> tooLarge.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(MqttException.class);
        }
        assertThat(INGESTION.submitted()).hasSize(1);
    }

    @Test
    void servesTls() throws Exception {
        INGESTION.answer = text -> HeldIngestion.durable();
        try (Device device = Device.of(tlsUrl, "press-1")) {
            device.options.setSocketFactory(certificate.trusting().getSocketFactory());
            device.connect();
            assertThat(device.publish("over TLS").get(60, TimeUnit.SECONDS).code())
                    .isZero();
        }
        try (Device trustful = Device.of(tlsUrl, "press-1")) {
            assertThatThrownBy(trustful::connect).isInstanceOf(MqttException.class);
        }
    }

    /** Attack: connections that break off, so that the descriptors of the process are used up. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void connectionsThatBreakOffLeaveNoFileDescriptors() throws Exception {
        int before = BrokenConnections.descriptors();
        BrokenConnections.open(URI.create(tlsUrl).getPort(), 4000);
        assertThat(BrokenConnections.descriptorsBelow(before + 50)).isLessThan(before + 50);
        servesTls();
    }

    @Test
    void clientOfOursAgreesOnTheHybridGroup() throws Exception {
        INGESTION.answer = text -> HeldIngestion.durable();
        try (TlsRelay relay = new TlsRelay(URI.create(tlsUrl).getPort());
                Device device = Device.of("ssl://localhost:" + relay.port(), "press-1")) {
            SSLContext ours = TlsContext.of(null, certificate.trust());
            device.options.setSocketFactory(ours.getSocketFactory());
            device.options.setHttpsHostnameVerificationEnabled(true);
            device.connect();
            assertThat(device.publish("over hybrid TLS")
                            .get(60, TimeUnit.SECONDS)
                            .code())
                    .isZero();
            assertThat(relay.groups()).containsExactly(TlsRelay.HYBRID);
        }
    }

    @Test
    void losesNothingWhenItRestartsWhileDevicesPublish() throws Exception {
        try (Device pager = Device.of(url, Devices.PAGER).connect()) {
            assertThat(pager.subscribe("alerts/#")).isEqualTo(1);
        }
        try (Device device = Device.of(url, "press-5")) {
            device.options.setAutomaticReconnect(true);
            device.options.setAutomaticReconnectDelay(1, 1);
            device.options.setMaxReconnectDelay(1000);
            device.connect();
            CompletableFuture<Device.Ack> underWay = device.publish("under way");
            HeldIngestion.Held unanswered = INGESTION.next();
            broker.publish("alerts/fire", "urgent".getBytes(StandardCharsets.UTF_8))
                    .get(60, TimeUnit.SECONDS);
            broker.close();
            startAgain();
            unanswered.durable(); // too late: the connection that it would be acknowledged on is gone
            HeldIngestion.Held again = INGESTION.next(); // sent again with DUP on the same session
            assertThat(again.text()).isEqualTo("under way");
            Await.until("the end of the first connection", underWay::isDone);
            assertThat(underWay).isCompletedExceptionally();
            assertThat(device.client.getPendingTokens()).isNotEmpty();
            again.durable();
            Await.until("the acknowledgement", () -> device.client.getPendingTokens().length == 0);
        }
        try (Device pager = Device.of(url, Devices.PAGER).connect()) {
            assertThat(pager.next().text()).isEqualTo("urgent");
        }
    }

    @Test
    void saysWhichAddressItCannotHave() {
        MqttSettings same = settings(Map.of("embedded.listen", "127.0.0.1:" + port));
        Broker second = Brokers.of(
                same,
                folder.resolve("second"),
                new Devices(),
                new DefaultSslBundleRegistry(),
                Devices.TOPICS,
                new SimpleMeterRegistry());
        assertThatThrownBy(() -> second.start((sender, envelope) -> new CompletableFuture<>()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("127.0.0.1:" + port);
        assertThat(broker.ready()).isTrue();
    }

    @Test
    void letsNobodyInBeforeTheGatewayTakesEnvelopes() throws Exception {
        int other = FreePort.choose();
        Broker early = Brokers.of(
                settings(Map.of("embedded.listen", "127.0.0.1:" + other)),
                folder.resolve("early"),
                new Devices(),
                new DefaultSslBundleRegistry(),
                Devices.TOPICS,
                new SimpleMeterRegistry());
        try {
            early.prepare();
            awaitListening(other);
            try (Device device = Device.of("tcp://127.0.0.1:" + other, "press-1")) {
                assertThatThrownBy(device::connect)
                        .isInstanceOfSatisfying(
                                MqttException.class,
                                e -> assertThat(e.getReasonCode()).isEqualTo(SERVER_UNAVAILABLE));
            }
            assertThat(early.ready()).isFalse();
            early.start((sender, envelope) -> CompletableFuture.completedFuture(Optional.empty()));
            try (Device device =
                    Device.of("tcp://127.0.0.1:" + other, "press-1").connect()) {
                assertThat(device.publish("now").get(60, TimeUnit.SECONDS).code())
                        .isZero();
            }
        } finally {
            early.close();
        }
    }

    private static void awaitListening(int at) throws Exception {
        for (int i = 0; ; i++) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), at).close();
                return;
            } catch (IOException e) {
                if (i == 1200) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }
}
