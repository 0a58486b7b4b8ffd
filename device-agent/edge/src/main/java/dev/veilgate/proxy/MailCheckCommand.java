package dev.veilgate.proxy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.settings.MailKeys;
import dev.veilgate.settings.ProxySettings;
import dev.veilgate.settings.RelaySettings;
import dev.veilgate.settings.SettingOptions;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.TlsKeys;
import dev.veilgate.transport.smtp.SmtpConnection;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code veilgate mail check}. */
@Command(
        name = "check",
        header = "Check the mail proxy's settings, bundle, passwords, TLS, spool and next server",
        description = {
            "  Says what the proxy would do, and does nothing of it. Connects and logs in to the next server, and sends nothing.",
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} mail check --config /etc/veilgate/veilgate.yaml",
            "  ${ROOT-COMMAND-NAME} mail check --config veilgate.yaml --to bob@example.org --offline",
        })
final class MailCheckCommand implements Callable<Integer> {
    private static final Duration SOON = Duration.ofDays(7);
    /** Programs judge old mail by the day on which they show it. */
    private static final Duration SENDERS_SOON = Duration.ofDays(5 * 365);

    private static final Duration SIGNER_SOON = Duration.ofDays(60);

    private final Terminal terminal;

    private CommandSpec spec;

    @Option(names = "--offline", description = "Do not connect to the next server.")
    private boolean offline;

    @Option(
            names = "--to",
            paramLabel = "ADDRESS",
            description = "Say whether mail to this recipient can be sealed. May be repeated.")
    private List<String> recipients = new ArrayList<>();

    MailCheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Spec
    void options(CommandSpec commandSpec) {
        spec = commandSpec;
        SettingOptions.addTo(commandSpec, MailKeys.ALL);
    }

    @Override
    public Integer call() throws CommandFailure, IOException {
        MailOptions options = MailOptions.of(spec.commandLine().getParseResult(), MailKeys.ALL);
        ProxySettings proxy = options.proxy();
        RelaySettings next = options.smtp();
        say("settings", "read");
        listening(proxy);
        spool(proxy);
        say(
                "retry",
                "after " + proxy.retry().first().toSeconds() + " s and then more; a report to the sender after "
                        + proxy.retry().giveUpAfter().toHours() + " h");
        int code = bundle(options);
        if (offline) {
            say("next server", next.host() + ":" + next.port() + ", " + next.tls() + ", not tried");
        } else {
            connect(next);
        }
        return code;
    }

    private void listening(ProxySettings proxy) throws IOException, CommandFailure {
        try {
            InetAddress address = InetAddress.getByName(proxy.host());
            say(
                    "listens on",
                    address.getHostAddress() + ":" + proxy.port() + (proxy.certificate() == null ? "" : ", STARTTLS"));
        } catch (UnknownHostException e) {
            throw new CommandFailure(ExitCode.USAGE, "mail.listen: " + proxy.host() + " has no address", e);
        }
        Path certificate = proxy.certificate();
        Path key = proxy.key();
        if (certificate != null && key != null) {
            TlsContext.server(TlsKeys.ofPem(certificate, key));
        }
        Path passwords = proxy.passwords();
        say(
                "who may send",
                passwords == null ? "everybody who can connect" : new PasswordFile(passwords).count() + " users");
        say("takes", "mails up to " + proxy.maxMessageBytes() + " bytes");
        say("no key", proxy.partial() ? "the mail goes to the other recipients" : "the mail goes to nobody");
    }

    private void spool(ProxySettings proxy) throws CommandFailure {
        Path folder = proxy.spool().toAbsolutePath();
        Path there = folder;
        while (there != null && !Files.exists(there)) {
            there = there.getParent();
        }
        if (there == null || !Files.isDirectory(there) || !Files.isWritable(there)) {
            throw new CommandFailure(ExitCode.IO, "mail.spool: " + folder + " cannot be written by this user");
        }
        say("spool", folder + (there.equals(folder) ? "" : ", to be made"));
    }

    private int bundle(MailOptions options) throws CommandFailure, IOException {
        Instant now = terminal.clock().instant();
        Path serial = options.proxy().spool().resolve(SeenSerial.IN_SPOOL);
        Path folder = Files.createTempDirectory("veilgate-check");
        try (KeptBundle kept = options.bundle(folder.resolve(KeptBundle.FILE), terminal.clock(), line -> {})) {
            return bundle(
                    options,
                    new BundleSource(kept, options.fingerprint(), SeenSerial.lookedUpIn(serial), terminal.clock()),
                    now);
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private int bundle(MailOptions options, BundleSource source, Instant now) throws CommandFailure, IOException {
        MailForm form = options.form(terminal.clock());
        sayForm(form, options.proxy().passwords() != null, now);
        try (MailSealing sealing = new MailSealing(
                source.current(),
                options.settings().index(),
                options.readers(),
                form,
                terminal.clock(),
                new SecureRandom())) {
            PublicBundle bundle = sealing.bundle();
            say(
                    "bundle",
                    "of tenant " + bundle.tenant() + ", " + bundle.recipients().size() + " recipients, until "
                            + bundle.notAfter());
            say("mails", options.settings().index() ? "with an index" : "without an index");
            String signer = sealing.signerProblem();
            if (!signer.isEmpty()) {
                say("warning", signer);
            }
            sealing.requireEpoch();
            if (bundle.notAfter().isBefore(now.plus(SOON))) {
                say("warning", "the bundle expires at " + bundle.notAfter() + "; then no mail is taken");
            }
            return recipients(sealing);
        } catch (BundleUnusableException | MalformedEncodingException | RefusedBundleException e) {
            throw new CommandFailure(ExitCode.REFUSED, options.settings().bundle() + ": " + e.getMessage(), e);
        }
    }

    private void sayForm(MailForm form, boolean hasLogins, Instant now) {
        MailSigner signer = form.signer();
        if (signer == null) {
            say("form", "AuthEnvelopedData for everybody; few mail programs open it");
            return;
        }
        Instant end = signer.leaf().getNotAfter().toInstant();
        say("form", "signed, with a certificate until " + end);
        say("signed", form.asWhom(hasLogins));
        if (end.isBefore(now.plus(signer.isAuthority() ? SENDERS_SOON : SIGNER_SOON))) {
            say(
                    "warning",
                    "the mail signing certificate expires at " + end + "; then mail programs doubt the signature");
        }
    }

    private int recipients(MailSealing sealing) {
        int code = ExitCode.OK;
        for (String address : recipients) {
            try {
                sealing.certificate(address);
                say("to " + address, "can be sealed");
            } catch (NoKeyException e) {
                say("to " + address, "no key: " + e.getMessage());
                code = ExitCode.NO_MATCH;
            }
        }
        return code;
    }

    private void connect(RelaySettings next) throws CommandFailure {
        String where = next.host() + ":" + next.port();
        try {
            SmtpConnection session = NextServer.connect(next, "localhost");
            session.close();
            String most = session.maxBytes() > 0 ? ", takes sealed mails up to " + session.maxBytes() + " bytes" : "";
            say(
                    "next server",
                    where + ", " + next.tls() + (next.user() == null ? "" : ", logged in") + ": serves" + most);
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.IO, where + ": " + SmtpConnection.reason(e), e);
        }
    }

    private void say(String what, String value) {
        terminal.out().println(what + ": " + value);
    }
}
