package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS to a real broker that asks for a client certificate. Certificates by OpenSSL, which ./verify installs. */
class AgentTlsTest {
    @TempDir
    Path folder;

    private TestTenant.Sender files;

    @BeforeEach
    void begin() throws Exception {
        files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        Files.createDirectory(folder.resolve("logs"));
        Files.writeString(folder.resolve("logs/a.log"), "one line\n");
        authority("ca");
        certificate("server", "DNS:localhost");
        certificate("client", "DNS:device");
        openssl(
                "pkcs12",
                "-export",
                "-in",
                "client.pem",
                "-inkey",
                "client.key",
                "-out",
                "client.p12",
                "-passout",
                "pass:secret");
        Files.writeString(folder.resolve("client.p12-password"), "secret\n");
    }

    private void authority(String name) throws Exception {
        openssl(
                "req",
                "-x509",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=" + name,
                "-keyout",
                name + ".key",
                "-out",
                name + ".pem");
    }

    private void certificate(String name, String alternative) throws Exception {
        openssl(
                "req",
                "-newkey",
                "ec",
                "-pkeyopt",
                "ec_paramgen_curve:P-256",
                "-nodes",
                "-subj",
                "/CN=" + name,
                "-keyout",
                name + ".key",
                "-out",
                name + ".csr");
        Files.writeString(folder.resolve(name + ".ext"), "subjectAltName=" + alternative + "\n");
        openssl(
                "x509",
                "-req",
                "-in",
                name + ".csr",
                "-CA",
                "ca.pem",
                "-CAkey",
                "ca.key",
                "-CAcreateserial",
                "-days",
                "2",
                "-extfile",
                name + ".ext",
                "-out",
                name + ".pem");
    }

    private void openssl(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("openssl"));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("openssl.log").toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue())
                .as(Files.readString(folder.resolve("openssl.log")))
                .isZero();
    }

    /** Of a listener without TLS, for who receives: what nobody has subscribed to is not published. */
    private int plainPort;

    private Mosquitto broker() throws IOException {
        plainPort = Mosquitto.freePort();
        return Mosquitto.start(
                folder.resolve("broker"),
                "cafile " + folder.resolve("ca.pem"),
                "certfile " + folder.resolve("server.pem"),
                "keyfile " + folder.resolve("server.key"),
                "require_certificate true",
                "listener " + plainPort + " 127.0.0.1");
    }

    private RunningAgent.Setup setup(Mosquitto broker, String host) {
        return new RunningAgent.Setup(files, folder, "mqtts://" + host + ":" + broker.port())
                .with("agent.mqtt.ca", folder.resolve("ca.pem").toString())
                .with("agent.mqtt.connect-timeout", "20 s");
    }

    private static void awaitPublished(RunningAgent agent) {
        Await.until(
                "all published",
                120,
                () -> agent.agent().publisher().status().acknowledged() > 0
                        && agent.agent().counters().records.get() == 1
                        && agent.agent().spool().size() == 0,
                agent::log);
    }

    private static void awaitProblem(RunningAgent agent) {
        Await.until("a problem", 120, () -> agent.log().contains("not connected to"), agent::log);
        assertThat(agent.agent().publisher().status().connections()).isZero();
    }

    @Test
    void connectsWithACertificateInPem() throws Exception {
        try (Mosquitto broker = broker();
                Receiver receiver = Receiver.connect("127.0.0.1", plainPort);
                RunningAgent agent = RunningAgent.start(setup(broker, "localhost")
                        .with(
                                "agent.mqtt.certificate",
                                folder.resolve("client.pem").toString())
                        .with("agent.mqtt.key", folder.resolve("client.key").toString()))) {
            awaitPublished(agent);
            Await.until("the line", () -> receiver.lineCount() == 1);
        }
    }

    @Test
    void connectsWithACertificateInPkcs12() throws Exception {
        try (Mosquitto broker = broker();
                Receiver receiver = Receiver.connect("127.0.0.1", plainPort);
                RunningAgent agent = RunningAgent.start(setup(broker, "localhost")
                        .with(
                                "agent.mqtt.key-store",
                                folder.resolve("client.p12").toString())
                        .with(
                                "agent.mqtt.key-store-password-file",
                                folder.resolve("client.p12-password").toString()))) {
            awaitPublished(agent);
            Await.until("the line", () -> receiver.lineCount() == 1);
            assertThat(agent.log()).doesNotContain("secret");
        }
    }

    @Test
    void refusesABrokerOfAnotherName() throws Exception {
        try (Mosquitto broker = broker();
                RunningAgent agent = RunningAgent.start(setup(broker, "127.0.0.1")
                        .with("agent.shutdown", "0")
                        .with(
                                "agent.mqtt.key-store",
                                folder.resolve("client.p12").toString())
                        .with(
                                "agent.mqtt.key-store-password-file",
                                folder.resolve("client.p12-password").toString()))) {
            awaitProblem(agent);
        }
    }

    @Test
    void refusesABrokerOfAnotherAuthority() throws Exception {
        authority("other");
        try (Mosquitto broker = broker();
                RunningAgent agent = RunningAgent.start(setup(broker, "localhost")
                        .with("agent.shutdown", "0")
                        .with("agent.mqtt.ca", folder.resolve("other.pem").toString()))) {
            awaitProblem(agent);
        }
    }
}
