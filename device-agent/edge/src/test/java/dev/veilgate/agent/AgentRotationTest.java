package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log that is rotated and compressed four times while a running agent cannot look: the process is stopped, or waits
 * for room in its spool while its broker is away.
 */
class AgentRotationTest {
    private static final int ROTATIONS = 4;

    @TempDir
    Path folder;

    private final List<String> written = new ArrayList<>();
    private Path log;
    private int rotations;

    private void write(int lines) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            String line = "unit=pump line=%07d msg=\"as usual\"".formatted(written.size());
            written.add(line);
            text.append(line).append('\n');
        }
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private void rotate() throws IOException {
        Path rotated = log.resolveSibling("app.log-202611" + (10 + rotations++));
        Files.move(log, rotated);
        Path packed = rotated.resolveSibling(rotated.getFileName() + ".gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            Files.copy(rotated, out);
        }
        Files.setLastModifiedTime(packed, Files.getLastModifiedTime(rotated));
        Files.delete(rotated);
        write(50);
    }

    private static void signal(Process process, String name) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private String agentLog() {
        try {
            return Files.readString(folder.resolve("agent.log"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void everyLineArrivesOnce() throws Exception {
        TestTenant.Sender files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        log = Files.createDirectory(folder.resolve("logs")).resolve("app.log");
        try (Mosquitto broker = Mosquitto.start(folder.resolve("broker"));
                Receiver receiver = Receiver.connect("127.0.0.1", broker.port())) {
            write(50);
            Process agent = ChildAgent.start(
                    folder.resolve("agent.log"),
                    List.of(),
                    "--bundle=" + files.bundle(),
                    "--authority=" + files.authority(),
                    "--identity=" + files.identity(),
                    "--state=" + folder.resolve("state"),
                    "--scope=plant",
                    "--spool-max=1 MiB",
                    "--mqtt-url=" + broker.url(),
                    "--batch-time=100 ms",
                    "--mqtt-backoff-max=200 ms",
                    "--linger=500 ms",
                    "--file=" + log);
            try {
                arrive(receiver);
                signal(agent, "STOP");
                for (int i = 0; i < ROTATIONS; i++) {
                    rotate();
                }
                signal(agent, "CONT");
                arrive(receiver);

                broker.stop();
                while (!agentLog().contains("waits: the spool is full")) {
                    write(200);
                    TimeUnit.MILLISECONDS.sleep(50); // a batch's time
                }
                for (int i = 0; i < ROTATIONS; i++) {
                    rotate();
                }
                broker.start();
                arrive(receiver);
                agent.destroy();
                assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                agent.destroyForcibly();
            }
            assertThat(receiver.lines()).containsExactlyInAnyOrderElementsOf(written);
            assertThat(receiver.findings(files.sender())).isEmpty();
        }
    }

    private void arrive(Receiver receiver) {
        Await.until(
                written.size() + " lines",
                300,
                () -> receiver.lineCount() >= written.size(),
                () -> receiver.lineCount() + " arrived. " + agentLog());
    }
}
