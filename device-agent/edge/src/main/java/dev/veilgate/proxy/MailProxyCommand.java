package dev.veilgate.proxy;

import dev.veilgate.program.NativeLibrary;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.service.LineLog;
import dev.veilgate.settings.MailKeys;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.SettingOptions;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.ServiceCommand;
import dev.veilgate.terminal.Terminal;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.supervision.BoundedStop;
import dev.veilgate.transport.supervision.SignalStop;
import dev.veilgate.transport.supervision.Supervisor;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code veilgate mail proxy}. */
@Command(
        name = "proxy",
        header = "Take mail from any mail program, seal it, and send it on",
        description = {
            "  A local submission server. Point a mail program at it, without TLS or password on loopback. A mail is",
            "  acknowledged when it is sealed and on disk; it then goes to --smtp-url until that takes or refuses it.",
            "  A recipient without a key is refused at once, and the mail goes to nobody, unless --partial.",
            "  Ends in good order on SIGTERM, within ten seconds; nothing acknowledged is lost by SIGKILL.",
            "  Each option is also a key of the settings file, and wins.",
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} mail proxy --config /etc/veilgate/veilgate.yaml",
            "  ${ROOT-COMMAND-NAME} mail proxy --bundle acme.vgb --authority acme.fingerprint"
                    + " --spool /var/lib/veilgate/mail \\",
            "      --smtp-url smtp://gateway.example.org",
            "  swaks --server 127.0.0.1:2525 --from ada@example.org --to bob@example.org",
        })
final class MailProxyCommand implements Callable<Integer>, ServiceCommand {
    private final Terminal terminal;

    private CommandSpec spec;

    MailProxyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Spec
    void options(CommandSpec commandSpec) {
        spec = commandSpec;
        SettingOptions.addTo(commandSpec, MailKeys.ALL);
    }

    @Override
    public boolean isService() {
        return true;
    }

    @Override
    public Integer call() throws CommandFailure, IOException, InterruptedException {
        MailOptions options = MailOptions.of(spec.commandLine().getParseResult(), MailKeys.ALL);
        var log = new LineLog(terminal.err(), terminal.clock());
        Supervisor supervisor = Supervisor.ofProcess(log::warn);
        supervisor.starting();
        var stop = new SignalStop(supervisor, log::info, BoundedStop.LIMIT, "What was acknowledged is in the spool.");
        try {
            return run(options, log, supervisor, stop);
        } finally {
            stop.remove();
        }
    }

    private int run(MailOptions options, LineLog log, Supervisor supervisor, SignalStop stop)
            throws CommandFailure, IOException, InterruptedException {
        log.info("post-quantum algorithms by " + NativeLibrary.inUse());
        log.info(TlsContext.status());
        var told = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        ProxySettings settings = options.proxy();
        try (KeptBundle bundle = KeptBundle.following(
                        options.settings().bundle(),
                        settings.spool().resolve(KeptBundle.FILE),
                        options.settings().bundleLooking(),
                        options.fingerprint(),
                        terminal.clock(),
                        log::info);
                MailProxy proxy = MailProxy.start(
                        settings, options.smtp(), bundle, options.fingerprint(), terminal.clock(), log)) {
            stop.releases(proxy::stopWaitsFor, () -> {
                told.countDown();
                try {
                    stopped.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            if (proxy.monitorPort() >= 0) {
                log.info("monitor on http://127.0.0.1:" + proxy.monitorPort() + "/health");
            }
            supervisor.ready();
            told.await();
        } catch (BundleUnusableException e) {
            throw new CommandFailure(ExitCode.REFUSED, options.settings().bundle() + ": " + e.getMessage(), e);
        } catch (SigningKeyFile.UnusableSignerException e) {
            throw new CommandFailure(ExitCode.KEY, String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.IO, because(e), e);
        } finally {
            stopped.countDown();
        }
        return ExitCode.OK;
    }

    /** What to do is often said by the cause: a port in use. */
    private static String because(IOException e) {
        Throwable cause = e.getCause();
        return cause == null || cause.getMessage() == null ? e.toString() : e.getMessage() + ": " + cause.getMessage();
    }
}
