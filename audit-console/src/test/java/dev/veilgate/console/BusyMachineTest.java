package dev.veilgate.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.testing.FreePort;
import dev.veilgate.testing.ProcessorShare;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A console with locked keys on a machine that is so busy that a fifth of a processor is left for it. */
class BusyMachineTest {
    private static final double SHARE = 0.2;
    private static final long START_NANOS = TimeUnit.MINUTES.toNanos(10);
    /** Time within which every service promises to end. */
    private static final Duration STOP = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    @Test
    void aFirstStartWorksAndAStopEndsInTime() throws Exception {
        int port = FreePort.choose();
        Files.createFile(Files.createDirectory(folder.resolve("keys")).resolve(KeyFolder.KEY_FILE));
        Path log = folder.resolve("log");
        try (ProcessorShare share = new ProcessorShare(SHARE)) {
            Process console = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            classPath(),
                            "dev.veilgate.console.command.Main",
                            "run",
                            "server.port=" + port,
                            "veilgate.data-dir=" + folder.resolve("data"),
                            "veilgate.keys.folder=" + folder.resolve("keys"))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            try {
                share.limit(console.toHandle());
                awaitReady(console, port, log);
                long told = System.nanoTime();
                console.destroy();
                assertThat(console.waitFor(2, TimeUnit.MINUTES)).isTrue();
                assertThat(Duration.ofNanos(System.nanoTime() - told))
                        .as("%s", Files.readString(log))
                        .isLessThan(STOP);
                assertThat(console.exitValue()).isEqualTo(143);
            } finally {
                console.destroyForcibly();
            }
        }
        assertThat(Files.readString(log)).contains("told to stop; ends within 8 s");
    }

    /** Class path of this test without its classes, whose beans the application would find. */
    private static String classPath() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static void awaitReady(Process console, int port, Path log) throws Exception {
        HttpRequest ask = HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/health/readiness"))
                .timeout(Duration.ofSeconds(20))
                .build();
        long end = System.nanoTime() + START_NANOS;
        try (HttpClient http = HttpClient.newHttpClient()) {
            while (!isReady(http, ask)) {
                assertThat(console.isAlive() && System.nanoTime() < end)
                        .as("%s", Files.readString(log))
                        .isTrue();
                console.waitFor(100, TimeUnit.MILLISECONDS);
            }
        }
    }

    private static boolean isReady(HttpClient http, HttpRequest ask) throws InterruptedException {
        try {
            return http.send(ask, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false; // it does not listen yet
        }
    }
}
