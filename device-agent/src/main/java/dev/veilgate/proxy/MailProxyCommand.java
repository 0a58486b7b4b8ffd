package dev.veilgate.proxy;

import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.RelaySettings;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code veilgate mail proxy}. */
@Command(
        name = "proxy",
        header = "Take mail from any mail program, seal it, and send it on",
        description = {
            "  A local submission server. Point a mail program at it, without TLS or password on loopback. A mail is",
            "  acknowledged when it is sealed and on disk; it then goes to --smtp-url until that takes or refuses it.",
            "  A recipient without a key is refused at once, and the mail goes to nobody, unless --partial.",
            "  Ends in good order on SIGTERM; nothing acknowledged is lost by SIGKILL.",
        },
        footer = {
            "  veilgate mail proxy --bundle acme.vgb --authority acme.fingerprint --spool /var/lib/veilgate/mail \\",
            "      --smtp-url smtp://gateway.example.org",
            "  swaks --server 127.0.0.1:2525 --from ada@example.org --to bob@example.org",
        })
final class MailProxyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private BundleOptions bundle = new BundleOptions();

    @Mixin
    private RelayOptions relay = new RelayOptions();

    @Option(
            names = "--listen",
            paramLabel = "ADDRESS",
            description =
                    "Address to listen on (default ${DEFAULT-VALUE}). Another than loopback needs --tls-certificate,"
                            + " --tls-key and --passwords.")
    private String listen = "127.0.0.1";

    @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on (default ${DEFAULT-VALUE}).")
    private int port = 2525;

    @Option(
            names = "--tls-certificate",
            paramLabel = "FILE",
            description = "PEM file of the certificate for STARTTLS, with its chain.")
    private @Nullable Path certificate;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "PEM file of its private key (PKCS 8, not encrypted).")
    private @Nullable Path key;

    @Option(
            names = "--passwords",
            paramLabel = "FILE",
            description = "Users who may send, made by `veilgate mail password`.")
    private @Nullable Path passwords;

    @Option(
            names = "--spool",
            required = true,
            paramLabel = "FOLDER",
            description = "Where sealed mail waits. Made if it is not there.")
    private Path spool = Path.of("");

    @Option(
            names = "--max-size",
            paramLabel = "BYTES",
            description = "Longest message that is taken (default ${DEFAULT-VALUE}).")
    private long maxSize = 50L << 20;

    @Option(names = "--partial", description = "Send to recipients with a key even if others have none.")
    private boolean partial;

    @Option(
            names = "--no-index",
            description = "Plain S/MIME mails, without the index that the gateway searches: for mail that goes past any"
                    + " gateway to mail programs that do not open an S/MIME part beside another one.")
    private boolean noIndex;

    @Option(
            names = "--retry",
            paramLabel = "SECONDS",
            description = "First pause before trying again; doubles up to an hour (default ${DEFAULT-VALUE}).")
    private long retrySeconds = 60;

    @Option(
            names = "--give-up",
            paramLabel = "HOURS",
            description = "When the sender gets a report instead (default ${DEFAULT-VALUE}).")
    private long giveUpHours = 72;

    @Option(
            names = "--status-port",
            paramLabel = "PORT",
            description = "Port on loopback for /health and /metrics (default: none).")
    private int statusPort = -1;

    MailProxyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandFailure, InterruptedException {
        RelaySettings next = relay.settings();
        var stop = new CountDownLatch(1);
        var stopped = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            stop.countDown();
            try {
                stopped.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try (MailProxy proxy =
                MailProxy.start(settings(), next, bundle.bundle, bundle.fingerprint(), terminal.clock())) {
            Runtime.getRuntime().addShutdownHook(hook);
            terminal.err().println("listening on " + listen + ":" + proxy.port());
            if (proxy.statusPort() >= 0) {
                terminal.err().println("status on http://127.0.0.1:" + proxy.statusPort() + "/health");
            }
            stop.await();
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.IO, because(e), e);
        } finally {
            stopped.countDown();
        }
        return ExitCode.OK;
    }

    /** What to do is often said by the cause: an expired bundle, a port in use. */
    private static String because(IOException e) {
        Throwable cause = e.getCause();
        return cause == null || cause.getMessage() == null
                ? e.getMessage()
                : e.getMessage() + ": " + cause.getMessage();
    }

    private ProxySettings settings() throws CommandFailure {
        try {
            Duration first = Duration.ofSeconds(retrySeconds);
            Duration longest = first.compareTo(Duration.ofHours(1)) > 0 ? first : Duration.ofHours(1);
            return new ProxySettings(
                    listen,
                    port,
                    certificate,
                    key,
                    passwords,
                    spool,
                    maxSize,
                    partial,
                    !noIndex,
                    new ProxySettings.Retry(first, longest, Duration.ofHours(giveUpHours)),
                    statusPort);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, e.getMessage(), e);
        }
    }
}
