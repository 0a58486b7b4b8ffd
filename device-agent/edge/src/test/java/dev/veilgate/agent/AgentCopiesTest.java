package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent names the copy of a log that it reads as well, in its log, its status and its metrics. */
class AgentCopiesTest {
    @TempDir
    Path folder;

    @Test
    void saysThatACopyIsRead() throws Exception {
        TestTenant.Sender files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        Path logs = Files.createDirectory(folder.resolve("logs"));
        Path log = Files.writeString(logs.resolve("app.log"), "a line of the log\n".repeat(10));
        Path copy = logs.resolve("saved.log");
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            RunningAgent.Setup setup = new RunningAgent.Setup(files, folder, broker.url()).with("agent.linger", "1 s");
            try (RunningAgent agent = RunningAgent.start(setup)) {
                Await.until("the log", 120, () -> receiver.lineCount() == 10, agent::log);
                Files.copy(log, copy);
                Await.until("the copy", () -> receiver.lineCount() == 20);
                Await.until(
                        "what is said of it",
                        () -> agent.agent().counters().filesCopied.get() == 1);
                Await.until("the status", () -> agent.agent().counters().sources.contains("1 begin as others do"));
                assertThat(agent.log())
                        .contains("perhaps read twice: " + copy + " begins with the same bytes as " + log);
            }
        }
    }
}
