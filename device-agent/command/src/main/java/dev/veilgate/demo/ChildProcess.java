package dev.veilgate.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process of the demonstration that runs until it is stopped. Its output goes to a file. */
final class ChildProcess implements AutoCloseable {
    private static final int SHOWN_LINES = 15;

    private final String name;
    private final Process process;
    private final Path log;

    ChildProcess(String name, List<String> command, Map<String, String> environment, Path log) throws IOException {
        this.name = name;
        this.log = log;
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        builder.environment().putAll(environment);
        this.process = builder.start();
    }

    /** Asks again and again until the answer is yes. */
    interface Question {
        boolean isSo() throws IOException, InterruptedException;
    }

    /** @throws IOException if the process ends or the time is over before; with the end of its log */
    void await(Question ready, long seconds) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (!ready.isSo()) {
            if (!process.isAlive()) {
                throw new IOException("the " + name + " ended with status " + process.exitValue() + tail());
            }
            if (System.nanoTime() > end) {
                throw new IOException("the " + name + " was not ready within " + seconds + " s" + tail());
            }
            process.waitFor(50, TimeUnit.MILLISECONDS);
        }
    }

    private String tail() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return "; its log ends with\n"
                    + String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
        } catch (IOException | UncheckedIOException e) {
            return "; its log cannot be read";
        }
    }

    long pid() {
        return process.pid();
    }

    /** Resident memory in megabytes; -1 where the system does not say. */
    long residentMegabytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid()), "status"))) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
                }
            }
            return -1;
        } catch (IOException | NumberFormatException e) {
            return -1;
        }
    }

    /** Stops it in good order; after half a minute in bad order. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
