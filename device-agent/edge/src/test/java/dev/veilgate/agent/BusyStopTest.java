package dev.veilgate.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.testing.FreePort;
import dev.veilgate.testing.ProcessorShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent on a machine that is so busy that a fifth of a processor is left for it, whose broker is away. */
class BusyStopTest {
    private static final double SHARE = 0.2;
    /** Time within which every service promises to end. */
    private static final Duration STOP = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    @Test
    void startsAndEndsInTimeAndKeepsWhatItRead() throws Exception {
        TestTenant.Sender files = TestTenant.files(folder, Instant.now(), Duration.ofDays(30));
        Path log = folder.resolve("agent.log");
        Files.writeString(folder.resolve("plant.log"), "the pump overheated\n");
        try (ProcessorShare share = new ProcessorShare(SHARE)) {
            Process agent = ChildAgent.start(
                    log,
                    List.of(),
                    "--bundle=" + files.bundle(),
                    "--authority=" + files.authority(),
                    "--identity=" + files.identity(),
                    "--state=" + folder.resolve("state"),
                    "--scope=plant",
                    "--mqtt-url=mqtt://127.0.0.1:" + FreePort.choose(),
                    "--file=" + folder.resolve("plant.log"));
            try {
                share.limit(agent.toHandle());
                Await.until("an envelope in the spool", () -> envelopes() > 0);
                long told = System.nanoTime();
                agent.destroy();
                assertThat(agent.waitFor(2, TimeUnit.MINUTES)).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - told))
                        .as("%s", Files.readString(log))
                        .isLessThan(STOP);
                assertThat(agent.exitValue()).isIn(0, 143);
            } finally {
                agent.destroyForcibly();
            }
        }
        assertThat(Files.readString(log))
                .contains("told to stop; ends within 8 s; waits for envelopes to be published: ")
                .contains("stops; still waits for envelopes to be published: ");
        assertThat(envelopes()).as("in the spool").isPositive();
    }

    private long envelopes() {
        try (var spooled = Files.list(folder.resolve("state").resolve("spool"))) {
            return spooled.filter(file -> file.getFileName().toString().matches("[0-9a-f]{16}\\..*"))
                    .count();
        } catch (IOException e) {
            return 0;
        }
    }
}
