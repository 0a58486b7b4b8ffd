package dev.veilgate.agent;

import dev.veilgate.agent.spool.SpoolDisk;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.program.NativeLibrary;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.sender.SealingBundle;
import dev.veilgate.service.LineLog;
import dev.veilgate.settings.AgentSettings;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.ServiceCommand;
import dev.veilgate.terminal.Terminal;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.supervision.SignalStop;
import dev.veilgate.transport.supervision.Supervisor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code veilgate agent run}. */
@Command(
        name = "run",
        header = "Run the agent until it is stopped",
        description = {
            "  SIGTERM and SIGINT end it: what was read is sealed, publishing goes on for agent.shutdown, and the rest stays in",
            "  the spool. Four seconds later, or at a second signal, it ends whatever it does.",
            "  Of standard input, which cannot be read again, lines that were read ahead are lost then.",
            "  Each option is also a key of the settings file, and wins."
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} agent run --config /etc/veilgate/veilgate.yaml",
            "  ${ROOT-COMMAND-NAME} agent run --config my.yaml --once      # to the end of the files, then publish and leave",
            "  myprogram | ${ROOT-COMMAND-NAME} agent run --config my.yaml --stdin"
        })
final class RunCommand implements Callable<Integer>, ServiceCommand {
    /** For what a stop does beside publishing: to seal what was read, and to write down where. */
    private static final Duration BESIDE_PUBLISHING = Duration.ofSeconds(4);

    private final Terminal terminal;

    private CommandSpec spec;

    @Option(names = "--once", description = "Read to the end of the files, publish all, and leave.")
    private boolean once;

    RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Spec
    void options(CommandSpec commandSpec) {
        spec = commandSpec;
        AgentOptions.addTo(commandSpec);
    }

    @Override
    public boolean isService() {
        return !once;
    }

    @Override
    public Integer call() throws Exception {
        AgentSettings settings = AgentOptions.settings(spec.commandLine().getParseResult());
        NativeLibrary.use("native.liboqs", settings.liboqs());
        AgentParts.requireRoom(settings);
        LineLog log = new LineLog(terminal.err(), terminal.clock());
        Supervisor supervisor = Supervisor.ofProcess(log::warn);
        supervisor.starting();
        SignalStop stop = new SignalStop(
                supervisor,
                log::info,
                settings.shutdown().plus(BESIDE_PUBLISHING),
                "What is not published stays in the spool.");
        try {
            return run(settings, log, supervisor, stop);
        } finally {
            stop.remove();
        }
    }

    private int run(AgentSettings settings, LineLog log, Supervisor supervisor, SignalStop stop) throws Exception {
        log.info("post-quantum algorithms by " + NativeLibrary.inUse());
        if (settings.mqtt().url().getScheme().equals("mqtts")) {
            log.info(TlsContext.status());
        }
        try (SigningKey identity = IdentityFile.read(settings.identity());
                KeptBundle bundle = bundle(settings, terminal, log)) {
            String sender = identity.publicKey().sender();
            String topic = AgentParts.topic(tenant(settings, bundle), sender);
            Agent.World world = new Agent.World(terminal.in(), terminal.clock(), SpoolDisk.REAL, log);
            Agent agent = new Agent(
                    settings,
                    AgentParts.mqtt(settings, sender),
                    topic,
                    start -> new EngineSealer(
                            new BundleFile(bundle, settings.authority(), start.bundleSerial()),
                            identity,
                            start.clock()),
                    world);
            return run(agent, supervisor, stop);
        }
    }

    private int run(Agent agent, Supervisor supervisor, SignalStop stop) throws IOException {
        Thread running = Thread.currentThread();
        stop.releases(agent::stopWaitsFor, () -> {
            agent.stop();
            try {
                running.join(); // the process ends with this thread
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        supervisor.ready();
        boolean inOrder = false;
        boolean all;
        try (agent) {
            all = agent.run(once);
            inOrder = true;
        } finally {
            endIfStopped(stop, inOrder);
        }
        return all || !once ? ExitCode.OK : ExitCode.IO;
    }

    /** Ends a process that a signal stops: the stop waits for this thread, whose exit would wait for the stop. */
    private static void endIfStopped(SignalStop stop, boolean inOrder) {
        if (!stop.remove()) {
            if (inOrder) {
                Runtime.getRuntime().halt(ExitCode.OK); // stopped by a signal, in order: not the signal's exit code
            }
            Runtime.getRuntime().halt(ExitCode.IO);
        }
    }

    /**
     * The tenant, of the bundle. An expired one is enough for that, and the agent then waits for another, with its
     * files open: after a start of the machine logs go on and are rotated. With {@code --once} nobody waits.
     */
    private String tenant(AgentSettings settings, KeptBundle bundle) throws IOException, CommandFailure {
        if (once) {
            return usableTenant(settings, bundle, terminal);
        }
        return tenant(
                settings,
                bundle,
                (file, authority) -> PublicBundle.tenantNotForSealing(SealingBundle.bytes(file), authority));
    }

    private static KeptBundle bundle(AgentSettings settings, Terminal terminal, LineLog log)
            throws IOException, CommandFailure {
        try {
            return KeptBundle.following(
                    settings.bundle(),
                    settings.state().resolve(KeptBundle.FILE),
                    settings.bundleLooking(),
                    settings.authority(),
                    terminal.clock(),
                    log::info);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.REFUSED, settings.bundle() + ": " + e.getMessage(), e);
        }
    }

    /** The tenant, of a bundle that can be used now. */
    static String usableTenant(AgentSettings settings, KeptBundle bundle, Terminal terminal)
            throws IOException, CommandFailure {
        return tenant(
                settings,
                bundle,
                (file, authority) -> SealingBundle.read(
                                file, authority, terminal.clock().instant(), 0)
                        .tenant());
    }

    /** What says whose a bundle is. */
    private interface Reading {
        String tenant(Path file, String authority)
                throws IOException, MalformedEncodingException, RefusedBundleException;
    }

    private static String tenant(AgentSettings settings, KeptBundle bundle, Reading reading)
            throws IOException, CommandFailure {
        try {
            return reading.tenant(bundle.file(), settings.authority());
        } catch (MalformedEncodingException | RefusedBundleException | IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.REFUSED, settings.bundle() + ": " + e.getMessage(), e);
        }
    }
}
