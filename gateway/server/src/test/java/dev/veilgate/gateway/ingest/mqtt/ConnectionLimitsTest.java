package dev.veilgate.gateway.ingest.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.Brokers;
import dev.veilgate.testing.FreePort;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/** Nobody takes the whole broker: neither a device, nor somebody without a login. With real clients. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class ConnectionLimitsTest {
    private static final int QUOTA_EXCEEDED = 0x97;
    private static final int MOST_CONNECTIONS = 4;
    private static final int MOST_SESSIONS = 6;

    @TempDir
    private Path folder;

    private final int port = FreePort.choose();
    private final String url = "tcp://127.0.0.1:" + port;
    private final List<Device> open = new ArrayList<>();
    private SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private Broker start(String... settings) {
        return start(new Devices(), settings);
    }

    private Broker start(Access access, String... settings) {
        Map<String, String> values = new HashMap<>(Map.of(
                "embedded.listen", "127.0.0.1:" + port,
                "embedded.limits.connections-per-device", String.valueOf(MOST_CONNECTIONS),
                "embedded.limits.sessions-per-device", String.valueOf(MOST_SESSIONS)));
        for (int i = 0; i < settings.length; i += 2) {
            values.put(settings[i], settings[i + 1]);
        }
        meters = new SimpleMeterRegistry();
        Broker broker = Brokers.of(
                EmbeddedBrokerTest.settings(values),
                folder.resolve("mqtt"),
                access,
                new DefaultSslBundleRegistry(),
                Devices.TOPICS,
                meters);
        broker.start((sender, envelope) -> CompletableFuture.completedFuture(Optional.empty()));
        return broker;
    }

    @AfterEach
    void closeAll() throws Exception {
        for (Device device : open) {
            device.close();
        }
    }

    private Device device(String name, String clientId, long sessionSeconds) throws MqttException {
        Device device = Device.of(url, name, clientId);
        device.options.setSessionExpiryInterval(sessionSeconds);
        open.add(device);
        return device;
    }

    private void isRefused(Device device) {
        assertThatThrownBy(device::connect)
                .isInstanceOfSatisfying(
                        MqttException.class, e -> assertThat(e.getReasonCode()).isEqualTo(QUOTA_EXCEEDED));
    }

    private double refused(String limit) {
        return meters.get("veilgate.mqtt.connects.over.limit")
                .tag("limit", limit)
                .counter()
                .count();
    }

    private double gauge(String name) {
        return meters.get(name).gauge().value();
    }

    @Test
    void refusesConnectionsOverTheLimitOfADeviceAndTakesOverItsOwn() throws Exception {
        try (Broker _ = start()) {
            for (int i = 0; i < MOST_CONNECTIONS; i++) {
                device("press-1", "client-" + i, 0).connect();
            }
            isRefused(device("press-1", "one-more", 0));
            assertThat(refused("connections")).isEqualTo(1);
            assertThat(mosquittoPub("press-1", "another-one")).contains("Connection Refused: broker unavailable");
            assertThat(mosquittoPub("press-2", "first")).isEmpty();

            Device again = device("press-1", "client-0", 0).connect();
            assertThat(open.getFirst().disconnected.get(60, TimeUnit.SECONDS)).isEqualTo(0x8E);
            assertThat(again.publish("taken").get(60, TimeUnit.SECONDS).code()).isZero();
            isRefused(device("press-1", "one-more", 0));

            again.close();
            Await.until("the end of the connection", () -> gauge("veilgate.mqtt.connections") < MOST_CONNECTIONS);
            device("press-1", "one-more", 0).connect();
        }
    }

    /** Looks at a password for as long as the test wants. */
    private static final class SlowAccess implements Access {
        private final Access devices = new Devices();
        private final Semaphore looking = new Semaphore(0);
        private volatile CountDownLatch answers = new CountDownLatch(0);

        @Override
        public Optional<Principal> token(String secret) {
            return devices.token(secret);
        }

        @Override
        public Optional<Principal> device(String name, String password) {
            looking.release();
            try {
                answers.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return devices.device(name, password);
        }

        @Override
        public Optional<Principal> mailUser(String name, String password) {
            return devices.mailUser(name, password);
        }
    }

    /** Else each of them would make room for a connection that nobody counts. */
    @Test
    void aTakeoverThatIsBrokenOffLeavesTheConnectionCounted() throws Exception {
        SlowAccess access = new SlowAccess();
        try (Broker _ = start(access, "embedded.limits.unfinished-per-client", "1")) {
            for (int i = 0; i < MOST_CONNECTIONS; i++) {
                device("press-1", "client-" + i, 0).connect();
            }
            for (int i = 0; i < MOST_CONNECTIONS; i++) {
                access.answers = new CountDownLatch(1);
                access.looking.drainPermits();
                try (Socket takeover = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    takeover.getOutputStream().write(connectOf("press-1", "client-" + i));
                    access.looking.acquire();
                    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) { // instead of it
                        isClosed(takeover);
                    }
                    access.answers.countDown();
                }
            }
            Await.until("the end of all", () -> gauge("veilgate.mqtt.connections.unfinished") == 0);
            isRefused(device("press-1", "one-more", 0));
            assertThat(open.getFirst()
                            .publish("still there")
                            .get(60, TimeUnit.SECONDS)
                            .code())
                    .isZero();
        }
    }

    private static byte[] connectOf(String name, String clientId) {
        String text = "\u0000\u0004MQTT\u0004\u00C2\u0000\u003C";
        for (String part : List.of(clientId, name, Devices.password(name))) {
            text += "\u0000" + (char) part.length() + part;
        }
        return ("\u0010" + (char) text.length() + text).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Of MQTT 3.1.1. */
    private String mosquittoPub(String name, String clientId) throws Exception {
        Process process = new ProcessBuilder(
                        "mosquitto_pub",
                        "-V",
                        "mqttv311",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        String.valueOf(port),
                        "-i",
                        clientId,
                        "-u",
                        name,
                        "-P",
                        Devices.password(name),
                        "-q",
                        "1",
                        "-t",
                        Device.topic(name),
                        "-m",
                        "text")
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    @Test
    void countsSessionsOfClientsThatAreAwayAlsoAfterARestartUntilTheyExpire() throws Exception {
        try (Broker _ = start()) {
            for (int i = 0; i < MOST_SESSIONS; i++) {
                device("press-1", "client-" + i, i == 0 ? 40 : 3600).connect().close();
            }
            isRefused(device("press-1", "one-more", 3600));
            assertThat(refused("sessions")).isEqualTo(1);
            assertThat(gauge("veilgate.mqtt.sessions")).isEqualTo(MOST_SESSIONS);
        }
        try (Broker _ = start()) {
            isRefused(device("press-1", "one-more", 3600));
            device("press-1", "client-1", 3600).connect().close(); // one of its own
            device("press-2", "one-more", 3600).connect();
            Await.until("the end of a session", () -> connects("press-1", "one-more"));
            isRefused(device("press-1", "two-more", 3600));
        }
    }

    private boolean connects(String name, String clientId) {
        try {
            device(name, clientId, 0).connect();
            return true;
        } catch (MqttException e) {
            assertThat(e.getReasonCode()).isEqualTo(QUOTA_EXCEEDED);
            return false;
        }
    }

    @Test
    void forgetsSessionsThatEndWithTheConnection() throws Exception {
        try (Broker _ = start()) {
            for (int i = 0; i < 10 * MOST_SESSIONS; i++) {
                device("press-1", "client-" + i, 0).connect().close();
            }
            assertThat(refused("sessions") + refused("connections")).isZero();
        }
    }

    @Test
    void letsOthersInWhileADeviceOpensConnectionsInALoop() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        try (Broker _ = start("embedded.max-connections", "60");
                ExecutorService attackers = Executors.newFixedThreadPool(4)) {
            List<Future<?>> loops = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int number = i;
                loops.add(attackers.submit(() -> {
                    List<Device> held = new ArrayList<>();
                    for (int j = 0; j < 50 || !stop.get(); j++) {
                        Device device = Device.of(url, "press-1", number + "-" + j);
                        try {
                            held.add(device.connect());
                        } catch (MqttException e) {
                            device.close();
                        }
                    }
                    for (Device device : held) {
                        device.close();
                    }
                    return null;
                }));
            }
            try {
                for (int i = 0; i < 20; i++) {
                    try (Device other = Device.of(url, "press-2").connect()) {
                        assertThat(other.publish("through")
                                        .get(60, TimeUnit.SECONDS)
                                        .code())
                                .isZero();
                    }
                }
            } finally {
                stop.set(true);
            }
            for (Future<?> loop : loops) {
                loop.get(120, TimeUnit.SECONDS);
            }
            assertThat(refused("connections")).isGreaterThan(100);
        }
    }

    @Test
    void letsDevicesInWhileSomebodyHoldsConnectionsWithoutALogin() throws Exception {
        List<Socket> held = new ArrayList<>();
        try (Broker _ = start("embedded.max-connections", "60", "embedded.limits.unfinished-per-client", "20")) {
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
                if (i % 2 == 0) {
                    socket.getOutputStream().write(0x10); // begins a CONNECT
                }
                held.add(socket);
                if (i % 20 == 0) {
                    try (Device device = Device.of(url, "press-2").connect()) {
                        assertThat(device.publish("through")
                                        .get(60, TimeUnit.SECONDS)
                                        .code())
                                .isZero();
                    }
                }
            }
            Await.until("the oldest to be closed", () -> unfinished("displaced") >= 180);
            assertThat(gauge("veilgate.mqtt.connections.unfinished")).isLessThanOrEqualTo(20);
            isClosed(held.getFirst());
        } finally {
            for (Socket socket : held) {
                socket.close();
            }
        }
    }

    @Test
    void refusesDevicesOverTheLimitOfTheBrokerAndLetsThemTakeOver() throws Exception {
        try (Broker _ = start("embedded.max-connections", "2")) {
            device("press-1", "client", 0).connect();
            device("press-2", "client", 0).connect();
            isRefused(device("press-3", "client", 0));
            assertThat(refused("broker")).isEqualTo(1);
            device("press-1", "client", 0).connect();
        }
    }

    /** Of each kind: nothing, bytes, part of a CONNECT, all of it; closed, and reset. */
    @Test
    void writesALineForHundredsOfConnectionsThatEndBeforeTheLogin() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        try (Broker _ = start()) {
            root.addAppender(log);
            byte[] connect = "\u0010\u0020\u0000\u0004MQTT\u0005\u0002\u0000\u003C\u0000\u0000\u0013half-open-half-open"
                    .getBytes(StandardCharsets.ISO_8859_1);
            for (int i = 0; i < 470; i++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    socket.getOutputStream().write(connect, 0, i % (connect.length + 1));
                    socket.setSoLinger(i % 2 == 0, 0);
                }
            }
            Await.until("all", () -> gauge("veilgate.mqtt.connections.unfinished") == 0 && ended() >= 470);
            assertThat(ended()).isEqualTo(470);
        } finally {
            root.detachAppender(log);
        }
        assertThat(log.list).noneMatch(event -> event.getThrowableProxy() != null);
        assertThat(log.list.stream()
                        .map(ILoggingEvent::getFormattedMessage)
                        .filter(line -> line.contains("ended before a login was answered")
                                || line.contains("refused logins")
                                || line.contains("\n")))
                .hasSizeLessThanOrEqualTo(2);
    }

    /** Without an answer, or with one that nobody waited for. */
    private double ended() {
        return Stream.of("veilgate.mqtt.connects.unfinished", "veilgate.mqtt.connects")
                .flatMap(name -> meters.get(name).counters().stream())
                .mapToDouble(Counter::count)
                .sum();
    }

    private double unfinished(String reason) {
        return meters.get("veilgate.mqtt.connects.unfinished")
                .tag("reason", reason)
                .counter()
                .count();
    }

    @Test
    void closesAConnectionThatDribblesItsConnect() throws Exception {
        try (Broker _ = start("embedded.connect-timeout", "2s");
                Socket slow = new Socket(InetAddress.getLoopbackAddress(), port)) {
            Thread dribble = Thread.ofPlatform().daemon().start(() -> {
                byte[] head = {0x10, (byte) 0xFF, 0x7F, 0, 4, 'M', 'Q', 'T', 'T', 5};
                try {
                    for (int i = 0; ; i++) {
                        slow.getOutputStream().write(i < head.length ? head[i] : 'x');
                        Thread.sleep(300); // each begins an idle timer anew
                    }
                } catch (IOException | InterruptedException e) {
                    Thread.currentThread().interrupt(); // closed
                }
            });
            long start = System.nanoTime();
            isClosed(slow);
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
            Await.until("the count", () -> unfinished("timeout") == 1);
            dribble.interrupt();
        }
    }

    private static void isClosed(Socket socket) throws IOException {
        socket.setSoTimeout(60_000);
        try {
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                // an answer may come before the end
            }
        } catch (SocketException e) {
            // reset: closed too
        }
    }
}
