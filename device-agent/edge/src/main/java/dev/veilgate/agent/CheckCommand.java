package dev.veilgate.agent;

import dev.veilgate.agent.publish.Publisher;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.program.NativeLibrary;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.settings.AgentSettings;
import dev.veilgate.settings.SourceSettings;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import dev.veilgate.transport.TlsContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code veilgate agent check}. */
@Command(
        name = "check",
        header = "Check the agent's settings, bundle, identity and broker",
        description = "  Says what the agent would do, and does nothing of it.",
        footer = "  ${ROOT-COMMAND-NAME} agent check --config /etc/veilgate/veilgate.yaml")
final class CheckCommand implements Callable<Integer> {
    private final Terminal terminal;

    private CommandSpec spec;

    @Option(
            names = "--offline",
            description = "Do not connect to the broker. A bundle at an address is fetched all the same.")
    private boolean offline;

    CheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Spec
    void options(CommandSpec commandSpec) {
        spec = commandSpec;
        AgentOptions.addTo(commandSpec);
    }

    @Override
    public Integer call() throws Exception {
        AgentSettings settings = AgentOptions.settings(spec.commandLine().getParseResult());
        NativeLibrary.use("native.liboqs", settings.liboqs());
        AgentParts.requireRoom(settings);
        say("settings", "read, " + settings.sources().size() + " sources");
        say("post-quantum", NativeLibrary.inUse());
        if (settings.mqtt().url().getScheme().equals("mqtts")) {
            say("tls", TlsContext.status());
        }
        for (SourceSettings source : settings.sources()) {
            say(
                    "source",
                    source.kind() + " " + String.join(" ", source.patterns()) + ", scope " + source.scope()
                            + (source.readers().isEmpty() ? "" : ", for " + source.readers()));
        }
        Path folder = Files.createTempDirectory("veilgate-check");
        try (KeptBundle bundle = KeptBundle.once(
                settings.bundle(),
                folder.resolve(KeptBundle.FILE),
                settings.bundleLooking().authorities(),
                settings.authority(),
                terminal.clock(),
                line -> {})) {
            check(settings, bundle);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.REFUSED, settings.bundle() + ": " + e.getMessage(), e);
        } finally {
            delete(folder);
        }
        return ExitCode.OK;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private void check(AgentSettings settings, KeptBundle bundle) throws Exception {
        String tenant = RunCommand.usableTenant(settings, bundle, terminal);
        say("bundle", "of tenant " + tenant);
        try (SigningKey identity = IdentityFile.read(settings.identity())) {
            String sender = identity.publicKey().sender();
            say("identity", sender + ", " + identity.publicKey().fingerprint());
            String topic = AgentParts.topic(tenant, sender);
            say("topic", topic);
            BundleFile file = new BundleFile(bundle, settings.authority(), 0);
            try (EngineSealer sealer = new EngineSealer(file, identity, terminal.clock())) {
                List<String> policies = new ArrayList<>(List.of(settings.readers()));
                settings.sources().forEach(source -> policies.add(source.readers()));
                sealer.requireSealable(policies);
                String warning = sealer.warning(terminal.clock().instant());
                if (!warning.isEmpty()) {
                    say("warning", warning);
                }
            } catch (BatchSealer.NotReadyException e) {
                throw new CommandFailure(ExitCode.REFUSED, String.valueOf(e.getMessage()), e);
            }
            if (!offline) {
                connect(settings, sender, topic);
            }
        }
    }

    private void connect(AgentSettings settings, String sender, String topic) throws CommandFailure {
        try {
            say("broker", Publisher.probe(AgentParts.mqtt(settings, sender + "-check"), topic));
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.IO, settings.mqtt().url() + ": " + e.getMessage(), e);
        }
    }

    private void say(String what, String value) {
        terminal.out().println(what + ": " + value);
    }
}
