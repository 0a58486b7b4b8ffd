package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.EnvelopeDraft;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent and a real broker that is away, slow, refuses, or takes little at a time. */
class AgentBrokerTest {
    @TempDir
    Path folder;

    private TestTenant.Sender files;
    private final List<String> written = new ArrayList<>();

    @BeforeEach
    void begin() throws IOException {
        files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        Files.createDirectory(folder.resolve("logs"));
    }

    private void write(int lines) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            String line = "event " + written.size() + " host=h" + written.size() % 7 + " done";
            written.add(line);
            text.append(line).append('\n');
        }
        Files.writeString(folder.resolve("logs/a.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private RunningAgent.Setup setup(Mosquitto broker) {
        return new RunningAgent.Setup(files, folder, broker.url());
    }

    private void awaitAll(Receiver receiver, RunningAgent agent) {
        Await.until("all lines", 120, () -> receiver.lineCount() >= written.size(), agent::log);
        assertThat(receiver.lines()).isEqualTo(written);
    }

    /** Whoever watches senders sees a new one, though it has nothing to say yet. */
    @Test
    void saysAtOnceThatItIsThereThoughThereIsNoLog() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                RunningAgent _ = RunningAgent.start(setup(broker).with("agent.heartbeat", "1 h"))) {
            Await.until("the first envelope", () -> receiver.size() == 1);
        }
    }

    @Test
    void theFirstEnvelopePromisesAndTheLastDoesNot() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent agent = RunningAgent.start(
                    setup(broker).with("agent.heartbeat", "1 s").with("agent.shutdown", "60 s"));
            try (agent) {
                Await.until("heartbeats", () -> receiver.size() >= 3);
                write(10);
                awaitAll(receiver, agent);
            }
            Await.until( // the broker has it, and passes it on
                    "the farewell", () -> receiver.envelopes().getLast().heartbeatSeconds() == 0);
            List<Envelope> envelopes = receiver.envelopes();
            assertThat(envelopes.getFirst().heartbeatSeconds()).isEqualTo(1);
            assertThat(envelopes.getLast().heartbeatSeconds()).isZero();
            assertThat(envelopes.stream().map(Envelope::mediaType)).contains("application/vnd.veilgate.templates+cbor");
            assertThat(receiver.findings(files.sender())).isEmpty();
        }
    }

    @Test
    void aBrokerThatIsAwayAndComesBackGetsAll() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                RunningAgent agent = RunningAgent.start(setup(broker))) {
            for (int i = 0; i < 3; i++) {
                write(200);
                awaitAll(receiver, agent);
                broker.stop();
                write(500);
                Await.until("spool", () -> agent.agent().spool().size() >= 2);
                broker.start();
                awaitAll(receiver, agent);
            }
            assertThat(receiver.findings(files.sender())).isEmpty();
        }
    }

    @Test
    void aBrokerThatHangsIsLeftAndTriedAgain() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                RunningAgent agent = RunningAgent.start(setup(broker)
                        .with("agent.mqtt.ack-timeout", "1 s")
                        .with("agent.mqtt.connect-timeout", "1 s"))) {
            write(10);
            awaitAll(receiver, agent);
            broker.freeze(true);
            write(300);
            Await.until("it to notice", () -> agent.log().contains("acknowledged nothing for 1 s"));
            broker.freeze(false);
            awaitAll(receiver, agent);
        }
    }

    @Test
    void aWrongPasswordIsSaidAndNothingIsLost() throws Exception {
        Path passwords = folder.resolve("passwords");
        Path secret = Files.writeString(folder.resolve("secret"), "wrong\n");
        passwd(passwords, "device", "right");
        MqttConnectionOptions login = new MqttConnectionOptions();
        login.setUserName("device");
        login.setPassword("right".getBytes(StandardCharsets.UTF_8));
        try (Mosquitto broker = Mosquitto.start(
                        folder.resolve("broker"), "allow_anonymous false", "password_file " + passwords);
                Receiver receiver = Receiver.connect("tcp://127.0.0.1:" + broker.port(), login);
                RunningAgent agent = RunningAgent.start(setup(broker)
                        .with("agent.mqtt.user", "device")
                        .with("agent.mqtt.password-file", secret.toString()))) {
            write(20);
            Await.until(
                    "refusal",
                    () -> agent.agent().publisher().status().problem().contains("authorized")
                            || agent.agent().publisher().status().problem().contains("password"));
            Files.writeString(secret, "right\n");
            Await.until(
                    "all published",
                    () -> agent.agent().publisher().status().connected()
                            && agent.agent().counters().records.get() == 20
                            && agent.agent().spool().size() == 0);
            Await.until("all lines", () -> receiver.lineCount() == 20);
            assertThat(agent.log()).doesNotContain("wrong").doesNotContain("right");
        }
    }

    private static void passwd(Path file, String user, String password) throws Exception {
        Process process = new ProcessBuilder("mosquitto_passwd", "-c", "-b", file.toString(), user, password).start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void whatTheBrokerRefusesStaysAndIsTriedAgain() throws Exception {
        Path rights = folder.resolve("rights");
        Files.writeString(rights, "topic read veilgate/#\n");
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"), "acl_file " + rights);
                RunningAgent agent = RunningAgent.start(setup(broker))) {
            write(300);
            Await.until("refusals", () -> agent.agent().publisher().status().refused() > 2);
            assertThat(agent.log()).contains("the broker says: not authorized (envelope 1 stays in the spool)");
            assertThat(agent.agent().publisher().status().acknowledged()).isZero();
            broker.stop();
            Files.writeString(rights, "topic readwrite veilgate/#\n");
            broker.start();
            try (Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
                awaitAll(receiver, agent);
                assertThat(receiver.findings(files.sender())).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 20})
    void keepsTheBrokersReceiveMaximum(int maximum) throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"), "max_inflight_messages " + maximum);
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            write(400);
            try (RunningAgent agent = RunningAgent.start(
                    setup(broker).with("agent.batch.records", "4").with("agent.mqtt.in-flight", "1000"))) {
                awaitAll(receiver, agent);
                assertThat(agent.agent().publisher().status().connections()).isOne();
                assertThat(receiver.twice()).isZero();
            }
        }
    }

    @Test
    void splitsBatchesThatTheBrokerDoesNotTake() throws Exception {
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"), "max_packet_size 30000");
                RunningAgent agent = RunningAgent.start(setup(broker));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            Await.until("the limit", () -> agent.agent().publisher().status().maximumBytes() < 30_000);
            Random random = new Random(1);
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                String line = i + " " + Long.toHexString(random.nextLong()) + " " + "y".repeat(300);
                written.add(line);
                text.append(line).append('\n');
            }
            Files.writeString(folder.resolve("logs/a.log"), text);
            awaitAll(receiver, agent);
            assertThat(receiver.envelopes()).allMatch(e -> e.bytes().length < 30_000);
        }
    }

    @Test
    void tenMegabytesInOneLineAndBinaryArriveByteForByte() throws Exception {
        byte[] binary = new byte[2000];
        new Random(2).nextBytes(binary);
        String noise = new String(binary, StandardCharsets.ISO_8859_1).replace("\n", "");
        String big = "big " + "0123456789 abcdef ".repeat(10 * 1024 * 1024 / 18);
        written.addAll(List.of("before", noise, big, "crlf\r", "", "after"));
        Files.write(
                folder.resolve("logs/a.log"),
                (String.join("\n", written) + "\n").getBytes(StandardCharsets.ISO_8859_1));
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port());
                RunningAgent agent = RunningAgent.once(setup(broker))) {
            assertThat(agent.await()).isTrue();
            Await.until("all", () -> receiver.lines().size() == written.size());
            assertThat(receiver.lines()).isEqualTo(written);
        }
    }

    @Test
    void onceReadsTheLastLineWithoutLineFeedAndLeaves() throws Exception {
        Files.writeString(folder.resolve("logs/a.log"), "one\ntwo");
        written.addAll(List.of("one", "two"));
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            for (int i = 0; i < 2; i++) {
                try (RunningAgent agent = RunningAgent.once(setup(broker))) {
                    assertThat(agent.await()).isTrue();
                }
            }
            Await.until("all", () -> receiver.lines().size() == 2);
            assertThat(receiver.lines()).isEqualTo(written);
            assertThat(receiver.findings(files.sender())).isEmpty();
            assertThat(receiver.envelopes()).allMatch(e -> e.recordCount() <= EnvelopeDraft.MAX_RECORDS);
        }
    }
}
