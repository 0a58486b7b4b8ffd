package dev.veilgate.transport.supervision;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service in a process of its own, for it ends with the process. */
@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BoundedStopTest {
    private static final String WAITS = "2 messages in progress";

    /** A service whose stop takes as long as it is told. */
    static final class Service {
        static void main(String[] arguments) throws InterruptedException {
            Duration takes = Duration.parse(arguments[0]);
            Duration limit = Duration.parse(arguments[1]);
            boolean blocked = arguments[2].equals("blocked");
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> new BoundedStop(
                                    line -> say(line, blocked), limit, () -> WAITS, "The rest is in the journal.")
                            .run(() -> sleep(takes))));
            System.out.println("runs");
            Thread.sleep(Duration.ofMinutes(5));
        }

        private static void say(String line, boolean blocked) {
            if (blocked) {
                sleep(Duration.ofMinutes(5));
            }
            System.out.println(line);
        }

        private static void sleep(Duration time) {
            try {
                Thread.sleep(time);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Process process;
    private BufferedReader said;

    private void start(String takes, String limit, String log) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Service.class.getName(),
                        takes,
                        limit,
                        log)
                .redirectErrorStream(true)
                .start();
        said = process.inputReader();
        assertThat(said.readLine()).isEqualTo("runs");
    }

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    @Test
    void saysAtOnceThatItStopsAndThenThatItStopped() throws Exception {
        start("PT0.5S", "PT8S", "read");
        process.toHandle().destroy(); // leaves the streams open
        List<String> lines = said.readAllLines();
        assertThat(lines.getFirst()).isEqualTo("told to stop; ends within 8 s; waits for " + WAITS);
        assertThat(lines.getLast()).matches("stopped after \\d+\\.\\d+ s");
        assertThat(process.waitFor()).isEqualTo(BoundedStop.TERMINATED);
    }

    @Test
    void saysEveryTwoSecondsWhatItWaitsFor() throws Exception {
        start("PT5S", "PT60S", "read");
        process.toHandle().destroy(); // leaves the streams open
        assertThat(said.readAllLines())
                .filteredOn(("stops; still waits for " + WAITS)::equals)
                .hasSizeBetween(1, 2);
        assertThat(process.waitFor()).isEqualTo(BoundedStop.TERMINATED);
    }

    @Test
    void endsWhenItsTimeIsOverAndSaysWhatIsLeft() throws Exception {
        start("PT5M", "PT1S", "read");
        process.toHandle().destroy(); // leaves the streams open
        assertThat(said.readAllLines())
                .last()
                .isEqualTo("ends at once, after 1.0 s, without waiting for " + WAITS + ". The rest is in the journal.");
        assertThat(process.waitFor()).isEqualTo(BoundedStop.TERMINATED);
    }

    @Test
    void endsWhenItsTimeIsOverThoughNobodyReadsItsLines() throws Exception {
        start("PT5M", "PT1S", "blocked");
        process.toHandle().destroy(); // leaves the streams open
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(BoundedStop.TERMINATED);
    }

    @Test
    void endsAtASecondSignal() throws Exception {
        start("PT5M", "PT4M", "read");
        process.toHandle().destroy(); // leaves the streams open
        assertThat(said.readLine()).startsWith("told to stop");
        process.toHandle().destroy(); // leaves the streams open
        assertThat(said.readAllLines())
                .last()
                .asString()
                .startsWith("ends at once, a second signal came, without waiting for " + WAITS);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(BoundedStop.TERMINATED);
    }
}
