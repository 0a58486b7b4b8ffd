package dev.veilgate.gateway.ingest.mqtt;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A real external broker as a child process. Absent, the test fails: ./verify installs it. */
final class Mosquitto implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final List<String> more;
    private @Nullable Process process;

    private Mosquitto(Path folder, int port, List<String> more) {
        this.folder = folder;
        this.port = port;
        this.more = more;
    }

    /** Starts it with lines of configuration besides the usual ones. */
    static Mosquitto start(Path folder, int port, String... more) throws IOException {
        Files.createDirectories(folder);
        Mosquitto broker = new Mosquitto(folder, port, List.of(more));
        try {
            broker.start();
        } catch (IOException | AssertionError e) {
            broker.close();
            throw e;
        }
        return broker;
    }

    void start() throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "listener " + port + " 127.0.0.1",
                "persistence true",
                "persistence_location " + folder + "/",
                "max_queued_messages 0",
                "allow_anonymous true",
                "user root"));
        lines.addAll(more);
        Path file = folder.resolve("mosquitto.conf");
        Files.write(file, lines);
        Process started = new ProcessBuilder(program().toString(), "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
        process = started;
        Await.until("mosquitto to listen", () -> {
            if (!started.isAlive()) {
                throw new AssertionError("mosquitto ended: see " + folder.resolve("log"));
            }
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException e) {
                return false;
            }
        });
    }

    private static Path program() {
        return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/sbin")
                .map(place -> Path.of(place, "mosquitto"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("these tests need mosquitto: run ./verify"));
    }

    /** Stops it as a service manager does; it keeps its sessions. */
    void stop() throws InterruptedException {
        Process running = process;
        process = null;
        if (running != null) {
            running.destroy();
            if (!running.waitFor(60, TimeUnit.SECONDS)) {
                running.destroyForcibly().waitFor();
            }
        }
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
