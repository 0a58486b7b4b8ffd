package dev.veilgate.acceptance;

import dev.veilgate.benchmarks.gateway.Programs;
import dev.veilgate.benchmarks.gateway.RawMail;
import dev.veilgate.testing.ProcessLock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code veilgate demo} as a person runs it, up until closed: gateway, proxy, agent, console, sample logs and mails. */
final class RunningDemo implements AutoCloseable {
    private static final Pattern CONSOLE = Pattern.compile("(?m)^ready after [0-9.]+ s: (http://\\S+)$");
    private static final Pattern GATEWAY = Pattern.compile("(?m)^ready after [0-9.]+ s: http (127\\.0\\.0\\.1:\\d+)");
    private static final Pattern PROXY = Pattern.compile("veilgate mail proxy .* --port (\\d+)");
    private static final String UP = "everything stays up until Ctrl-C";
    private static final String MAILBOX = "alice@demo.example";

    private final Path folder;
    private final Programs programs;
    private final Process demo;
    private final String said;

    /** @param folder for the site, and for what the programs say */
    RunningDemo(Path folder) throws Exception {
        this.folder = folder;
        this.programs = new Programs(folder);
        try (ProcessLock _ = startLock()) {
            this.demo = programs.start(
                    "demo", List.of("sh", Programs.command(), "demo", "--folder", site().toString()), Programs.homes());
            this.said = awaitUp();
        }
    }

    /** A demonstration looks for free ports, and its programs take them later: two that start together may find the same. */
    static ProcessLock startLock() throws Exception {
        return ProcessLock.take(Path.of("benchmarks/target/demonstration-starts.lock"));
    }

    private String awaitUp() throws Exception {
        try {
            programs.await("the demonstration", () -> said().contains(UP) || !demo.isAlive());
            String all = said();
            if (!all.contains(UP)) {
                throw new AssertionError("the demonstration ended:\n" + all);
            }
            return all;
        } catch (Exception | AssertionError e) {
            close();
            throw e;
        }
    }

    private String said() throws IOException {
        return Files.readString(folder.resolve("demo.log"), StandardCharsets.UTF_8);
    }

    Path site() {
        return folder.resolve("site");
    }

    /** The console's address. */
    String console() {
        return find(CONSOLE);
    }

    String authority() throws IOException {
        return Files.readString(site().resolve("authority.fingerprint")).strip();
    }

    private String find(Pattern pattern) {
        Matcher matcher = pattern.matcher(said);
        if (!matcher.find()) {
            throw new AssertionError("no " + pattern + " in\n" + said);
        }
        return matcher.group(1);
    }

    /** By the proxy, as the samples; it can be found then. */
    void mail(String text, String word) throws Exception {
        try (RawMail connection = new RawMail(Integer.parseInt(find(PROXY)))) {
            connection.send(
                    "sender@plant.example",
                    MAILBOX,
                    text.replaceAll("\r?\n", "\r\n").getBytes(StandardCharsets.UTF_8));
        }
        awaitFound("mailbox-alice", word);
    }

    /** By the agent, which follows the samples; it can be found then. */
    void log(String line, String word) throws Exception {
        Files.writeString(site().resolve("logs/press-1.log"), line.strip() + "\n", StandardOpenOption.APPEND);
        awaitFound("plant", word);
    }

    private void awaitFound(String scope, String word) throws Exception {
        List<String> search = List.of(
                "sh",
                "-c",
                ". \"$1\" && exec sh \"$2\" search --scope \"$3\" --with-name \"$4\"",
                "search",
                site().resolve("env").toString(),
                Programs.command(),
                scope,
                word);
        programs.await(word + " in " + scope, () -> found(search));
    }

    private boolean found(List<String> search) throws Exception {
        try {
            return !programs.run(search).isBlank();
        } catch (IllegalStateException notYet) {
            return false;
        }
    }

    /** The console again, with other settings before the same keys, as an operator would start it; it is up then. */
    void restartConsole(String address, List<String> settings) throws Exception {
        restart("console", Programs.console(), address, settings);
    }

    /** The gateway again, with other settings before the same store; it is up then. */
    void restartGateway(List<String> settings) throws Exception {
        restart("gateway", Programs.gateway(), "http://" + find(GATEWAY), settings);
    }

    /** The console's own token of the gateway's access file is not in its settings any more. */
    void forgetConsoleToken() throws IOException {
        Path file = site().resolve("console.yaml");
        String yaml = Files.readString(file);
        String without = yaml.replaceAll("(?m)^ *token-file:.*\\R", "");
        if (without.equals(yaml)) {
            throw new AssertionError("no token in\n" + yaml);
        }
        Files.writeString(file, without);
    }

    private void restart(String name, String launcher, String address, List<String> settings) throws Exception {
        List<ProcessHandle> old = demo.descendants()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(name + ".yaml"))
                        .isPresent())
                .toList();
        if (old.isEmpty()) {
            throw new AssertionError("no " + name + " runs");
        }
        old.forEach(ProcessHandle::destroy);
        old.forEach(process -> process.onExit().join());
        List<String> command = new ArrayList<>(List.of("sh", launcher, "run", "--config"));
        command.add(site().resolve(name + ".yaml").toString());
        command.addAll(settings);
        Process again = programs.start(name, command);
        programs.await("the " + name, () -> {
            if (!again.isAlive()) {
                throw new AssertionError("the " + name + " ended:\n" + Files.readString(folder.resolve(name + ".log")));
            }
            return Journeys.answers(address + "/actuator/health/readiness");
        });
    }

    /** What the programs of the site wrote last, for a failure. */
    String logs() throws IOException {
        StringBuilder logs = new StringBuilder();
        for (Path log :
                List.of(site().resolve("console.log"), site().resolve("gateway.log"), folder.resolve("console.log"))) {
            if (Files.exists(log)) {
                List<String> lines = Files.readAllLines(log);
                logs.append("== ").append(log.getFileName()).append('\n');
                lines.subList(Math.max(0, lines.size() - 30), lines.size())
                        .forEach(line -> logs.append(line).append('\n'));
            }
        }
        return logs.toString();
    }

    @Override
    public void close() {
        List<ProcessHandle> children = demo.descendants().toList();
        programs.close();
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child -> child.onExit().join());
    }
}
