package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent seals none of its own files, whatever names they are given in the folder that it follows, and says so. */
class AgentLinksTest {
    @TempDir
    Path folder;

    private TestTenant.Sender files;
    private Path logs;

    @BeforeEach
    void begin() throws Exception {
        files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        logs = Files.createDirectory(folder.resolve("logs"));
    }

    @Test
    void settingsKeysAndStateAreNoLogs() throws Exception {
        Path password = Files.writeString(folder.resolve("password"), "secret\n");
        Files.createLink(logs.resolve("a.log"), password);
        Files.createSymbolicLink(logs.resolve("b.log"), files.identity());
        Files.writeString(logs.resolve("c.log"), "public\n");
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = new RunningAgent.Setup(files, folder, broker.url())
                    .with("agent.links", "all")
                    .with("agent.mqtt.user", "device")
                    .with("agent.mqtt.password-file", password.toString());
            try (RunningAgent agent = RunningAgent.start(setup)) {
                Await.until("the line", 120, () -> receiver.lineCount() == 1, agent::log);
                Await.until(
                        "files refused",
                        () -> agent.agent().counters().filesRefused.get() == 2);
                assertThat(agent.log())
                        .contains("not read: " + logs.resolve("a.log") + ": it is the agent's own")
                        .contains("not read: " + logs.resolve("b.log") + ": it is the agent's own");
                Await.until("the status", () -> agent.agent().counters().sources.contains("1 files, 2 refused"));
            }
            assertThat(receiver.lineCount()).isEqualTo(1);
        }
    }

    @Test
    void itsLogIsNoLogToFollow() throws Exception {
        Files.writeString(logs.resolve("app.log"), "public\n");
        Path password = Files.writeString(folder.resolve("settings.yaml"), "agent:\n  scope: plant\n");
        Files.createLink(logs.resolve("settings.log"), password);
        Path own = logs.resolve("agent.log");
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            Process agent = ChildAgent.start(
                    own,
                    List.of("env", "LC_ALL=C.UTF-8"),
                    "--once",
                    "--config=" + folder.resolve("settings.yaml"),
                    "--bundle=" + files.bundle(),
                    "--authority=" + files.authority(),
                    "--identity=" + files.identity(),
                    "--state=" + folder.resolve("state"),
                    "--mqtt-url=" + broker.url(),
                    "--file=" + logs + "/*.log");
            try {
                assertThat(agent.waitFor(120, TimeUnit.SECONDS)).isTrue();
            } finally {
                agent.destroyForcibly();
            }
            Await.until("the line", () -> receiver.lineCount() > 0);
            assertThat(receiver.lineCount()).isEqualTo(1);
            assertThat(Files.readString(own, StandardCharsets.UTF_8))
                    .contains("not read: " + own)
                    .contains("not read: " + logs.resolve("settings.log"));
        }
    }
}
