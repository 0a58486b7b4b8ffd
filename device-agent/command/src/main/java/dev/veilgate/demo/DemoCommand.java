package dev.veilgate.demo;

import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows everything at once. */
@Command(
        name = "demo",
        header = "Start a gateway with everything embedded, send it logs and mail, route and search",
        description = {
            "  On this machine only, on free ports of 127.0.0.1: makes a tenant's keys, starts the gateway, a mail proxy and an agent, seals",
            "  sample logs and sample mail, installs a route that forwards urgent mail to a pager, searches, and says what was found and how",
            "  fast. Then it stays up until Ctrl-C, so that the commands that it shows can be tried. Without --folder everything is in a",
            "  temporary folder that is deleted at the end.",
        },
        footer = {
            "  veilgate demo",
            "  veilgate demo --logs /var/log/nginx --search 'GET 500'",
            "  veilgate demo --mail ~/Mail/inbox/cur --folder tryout",
        })
public final class DemoCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--logs",
            paramLabel = "DIR",
            description = "Seal every file of this folder instead of sample logs.")
    private @Nullable Path logs;

    @Option(
            names = "--mail",
            paramLabel = "DIR",
            description = "Send every file of this folder, a mail each, instead of sample mail.")
    private @Nullable Path mail;

    @Option(
            names = "--search",
            paramLabel = "QUERY",
            description = "What to look for in the logs; level:error or a word of the samples unless given.")
    private @Nullable String query;

    @Option(names = "--folder", paramLabel = "DIR", description = "A new folder to keep everything in.")
    private @Nullable Path folder;

    @Option(names = "--exit", description = "Leave at the end instead of staying up.")
    private boolean exit;

    /** @param terminal what it talks to */
    public DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        requireFolder(logs, "--logs");
        requireFolder(mail, "--mail");
        Path gateway = launcher("gateway", "VEILGATE_GATEWAY_HOME");
        Path console = launcher("console", "VEILGATE_CONSOLE_HOME");
        Path root = root();
        CountDownLatch stop = new CountDownLatch(1);
        Thread onSignal = Thread.ofPlatform().unstarted(() -> {
            stop.countDown();
            awaitEnd();
        });
        Runtime.getRuntime().addShutdownHook(onSignal);
        try (DemoRun run = new DemoRun(terminal, root, gateway, console, new SecureRandom())) {
            run.story(logs, mail, query);
            if (!exit) {
                run.sayWhatToTry();
                stop.await();
            }
            terminal.err().println("stopping ...");
        } finally {
            if (folder == null) {
                deleteAll(root);
            }
            ended.countDown();
        }
        return ExitCode.OK;
    }

    private final CountDownLatch ended = new CountDownLatch(1);

    /** The process lives until everything has stopped in good order. */
    private void awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void requireFolder(@Nullable Path path, String option) throws CommandFailure {
        if (path != null && !Files.isDirectory(path)) {
            throw new CommandFailure(ExitCode.USAGE, option + ": " + path + " is not a folder");
        }
    }

    private Path root() throws IOException, CommandFailure {
        if (folder == null) {
            return Files.createTempDirectory("veilgate-demo-");
        }
        Path root = folder.toAbsolutePath().normalize();
        if (Files.exists(root)) {
            throw new CommandFailure(ExitCode.USAGE, folder + ": is there already; name a new folder");
        }
        return Files.createDirectories(root);
    }

    /** Beside this program's folder, or where a variable says. */
    private Path launcher(String program, String variable) throws Exception {
        String home = terminal.variable(variable);
        Path own = Path.of(DemoCommand.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path found = home == null || home.isEmpty()
                ? own.resolve("../../../veilgate-" + program).normalize()
                : Path.of(home);
        Path launcher = found.resolve("veilgate-" + program).toAbsolutePath();
        if (!Files.isRegularFile(launcher)) {
            throw new CommandFailure(
                    ExitCode.USAGE, "the " + program + " is not at " + found + "; set " + variable + " to its folder");
        }
        return launcher;
    }

    private static void deleteAll(Path root) throws IOException {
        try (var paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
