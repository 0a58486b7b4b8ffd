package dev.veilgate.agent;

import dev.veilgate.testing.FreePort;
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

/** A real broker on a free port of the loopback, as a child process. Absent, the test fails: ./verify installs it. */
public final class Mosquitto implements AutoCloseable {
    private final Path folder;
    private final int port;
    private final List<String> configuration;
    private @Nullable Process process;

    private Mosquitto(Path folder, int port, List<String> configuration) {
        this.folder = folder;
        this.port = port;
        this.configuration = configuration;
    }

    /** Starts a broker with lines of configuration besides the usual ones. */
    public static Mosquitto start(Path folder, String... lines) throws IOException {
        Files.createDirectories(folder);
        List<String> all = new ArrayList<>(List.of(lines));
        Mosquitto broker = new Mosquitto(folder, freePort(), all);
        try {
            broker.start();
        } catch (IOException | AssertionError e) {
            broker.close();
            throw e;
        }
        return broker;
    }

    public static int freePort() throws IOException {
        return FreePort.choose();
    }

    public int port() {
        return port;
    }

    Path folder() {
        return folder;
    }

    public String url() {
        return "mqtt://127.0.0.1:" + port;
    }

    /** Replaces the lines of configuration; counts from the next start on. */
    void configure(String... lines) {
        configuration.clear();
        configuration.addAll(List.of(lines));
    }

    void start() throws IOException {
        List<String> lines = new ArrayList<>(List.of(
                "listener " + port + " 127.0.0.1",
                "persistence true",
                "persistence_location " + folder + "/",
                "autosave_interval 1",
                "max_queued_messages 0",
                "user root"));
        if (configuration.stream().noneMatch(line -> line.startsWith("allow_anonymous"))) {
            lines.add("allow_anonymous true");
        }
        lines.addAll(configuration);
        Path file = folder.resolve("mosquitto.conf");
        Files.write(file, lines);
        process = new ProcessBuilder(executable().toString(), "-c", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("mosquitto.log").toFile()))
                .start();
        for (String line : lines) { // it opens one after the other
            if (line.startsWith("listener ")) {
                int listening = Integer.parseInt(line.split(" ")[1]);
                Await.until("mosquitto to listen on " + listening, () -> listens(listening));
            }
        }
    }

    private boolean listens(int listening) {
        Process running = process;
        if (running != null && !running.isAlive()) {
            throw new AssertionError("mosquitto ended: see " + folder.resolve("mosquitto.log"));
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listening)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private static Path executable() {
        return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin", "/opt/homebrew/sbin")
                .map(place -> Path.of(place, "mosquitto"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("these tests need mosquitto: run ./verify"));
    }

    /** Stops it as a service manager does; it keeps its sessions. */
    void stop() throws InterruptedException {
        Process running = process;
        if (running != null) {
            running.destroy();
            if (!running.waitFor(60, TimeUnit.SECONDS)) {
                running.destroyForcibly().waitFor();
            }
        }
        process = null;
    }

    /** Stops its clock, so to say: connections stay, nothing is answered. */
    void freeze(boolean on) throws IOException, InterruptedException {
        Process running = process;
        if (running != null) {
            new ProcessBuilder("kill", on ? "-STOP" : "-CONT", String.valueOf(running.pid()))
                    .start()
                    .waitFor();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            freeze(false);
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
