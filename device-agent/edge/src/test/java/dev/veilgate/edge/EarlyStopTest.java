package dev.veilgate.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.sender.IdentityFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Services that are told to stop while they start, which waits for a server that never answers. */
class EarlyStopTest {
    /** Time within which every service promises to end. */
    private static final Duration STOP = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    private Process process;

    @AfterEach
    void end() {
        process.destroyForcibly();
    }

    private void start(String service, int port) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        command.addAll(List.of(service.split(" ")));
        command.addAll(List.of("--bundle=http://127.0.0.1:" + port + "/acme.vgb", "--authority=" + "0".repeat(64)));
        if (service.startsWith("agent")) {
            Path identity = folder.resolve("press.identity");
            IdentityFile.create(identity, "press", new SecureRandom()).close();
            command.addAll(List.of(
                    "--identity=" + identity,
                    "--state=" + folder.resolve("state"),
                    "--scope=plant",
                    "--mqtt-url=mqtt://127.0.0.1:" + port,
                    "--file=" + folder.resolve("app.log")));
        } else {
            command.addAll(List.of(
                    "--spool=" + folder.resolve("spool"),
                    "--port=0",
                    "--authenticated=*",
                    "--smtp-url=smtp://127.0.0.1:" + port));
        }
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"agent run", "mail proxy"})
    void sayThatTheyStopAndEndAsForSigterm(String service) throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            start(service, silent.getLocalPort());
            process.onExit().thenRun(() -> close(silent));
            try (Socket asked = silent.accept();
                    BufferedReader said = process.inputReader()) {
                assertThat(asked.isConnected()).isTrue();
                long told = System.nanoTime();
                process.toHandle().destroy(); // leaves the streams open
                List<String> lines = said.readAllLines();
                assertThat(process.waitFor()).as("%s", lines).isEqualTo(143);
                assertThat(Duration.ofNanos(System.nanoTime() - told)).isLessThan(STOP);
                assertThat(lines)
                        .anyMatch(line -> line.endsWith("told to stop; ends within 8 s; waits for its own start"))
                        .anyMatch(line -> line.contains("stopped after"));
            }
        }
    }
}
