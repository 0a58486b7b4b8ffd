package dev.veilgate.acceptance;

import dev.veilgate.cli.CommandRun;
import dev.veilgate.cli.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The command as processes of their own, with the bounds of memory that its launcher sets, in a folder. */
final class Veilgate {
    /** How a command ended. */
    @SuppressWarnings("ArrayRecordComponent")
    record Ended(int code, byte[] bytes, String err) {
        String out() {
            return new String(bytes, StandardCharsets.UTF_8);
        }

        /** Lengths only. */
        @Override
        public String toString() {
            return "Ended[" + code + ", " + bytes.length + " bytes]";
        }
    }

    private static final long MAX_SECONDS = 300;

    private final Path folder;
    private final Map<String, String> environment = new TreeMap<>();

    Veilgate(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    /** For all commands from now on. */
    void set(String variable, String value) {
        environment.put(variable, value);
    }

    /** What starts the command; its arguments follow. */
    static List<String> launcher(String... javaOptions) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto"));
        command.addAll(List.of(javaOptions));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        return command;
    }

    private ProcessBuilder process(List<String> launcher, String... arguments) {
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("VEILGATE_"));
        builder.environment().putAll(environment);
        return builder;
    }

    /** The agent, whose output goes to two files. */
    Process startAgent(Path out, Path err, String... options) throws IOException {
        List<String> launcher = launcher("-Xmx72m", "-XX:MaxMetaspaceSize=96m", "-XX:ReservedCodeCacheSize=48m");
        launcher.addAll(List.of("agent", "run"));
        return process(launcher, options)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(out.toFile()))
                .redirectError(ProcessBuilder.Redirect.appendTo(err.toFile()))
                .start();
    }

    /** Runs a command to its end. */
    Ended run(byte[] input, String... arguments) throws Exception {
        Process process = process(launcher("-Xmx512m", "-XX:TieredStopAtLevel=1"), arguments)
                .start();
        CompletableFuture<byte[]> out = reader(process.getInputStream());
        CompletableFuture<byte[]> err = reader(process.getErrorStream());
        try (var in = process.getOutputStream()) {
            in.write(input);
        } catch (IOException e) {
            // it may have ended without reading: its exit code says what it thinks
        }
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("veilgate " + arguments[0] + " did not end");
        }
        return new Ended(process.exitValue(), out.get(), new String(err.get(), StandardCharsets.UTF_8));
    }

    /** Runs a command to its end in this JVM: what it computes is compiled once for many. */
    Ended runHere(byte[] input, String... arguments) {
        CommandRun run = new CommandRun();
        run.environment.clear();
        run.environment.putAll(environment);
        run.now = Instant.now();
        run.input = input;
        CommandRun.Result result = run.run((Object[]) arguments);
        return new Ended(result.code(), result.bytes(), result.err());
    }

    /** Runs what must succeed. */
    Ended ok(byte[] input, String... arguments) throws Exception {
        Ended ended = run(input, arguments);
        if (ended.code() != 0) {
            throw new AssertionError("veilgate " + arguments[0] + ": exit status " + ended.code() + ": " + ended.err());
        }
        return ended;
    }

    Ended ok(String... arguments) throws Exception {
        return ok(new byte[0], arguments);
    }

    private static CompletableFuture<byte[]> reader(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (stream) {
                        return stream.readAllBytes();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                task -> Thread.ofVirtual().start(task));
    }
}
