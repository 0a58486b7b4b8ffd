package dev.veilgate.proxy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.RefusedBundleException;
import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.sender.BundleLocation;
import dev.veilgate.sender.KeptBundle;
import dev.veilgate.settings.MailKeys;
import dev.veilgate.settings.RelaySettings;
import dev.veilgate.settings.SettingOptions;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import dev.veilgate.transport.smtp.SmtpConnection;
import dev.veilgate.transport.smtp.SmtpMessage;
import dev.veilgate.transport.smtp.SmtpReply;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code veilgate mail send}. */
@Command(
        name = "send",
        header = "Seal one message and send it",
        description = {
            "  Reads a message as it is written in a mail file, from standard input or a file. Without recipients as",
            "  arguments it goes to those of To, Cc and Bcc. Bcc is removed; each hidden recipient gets a copy of their own.",
            "  Waits until the next server has taken every copy; nothing of the mail is kept here.",
            "  Bundle and authority are those of the options, of the settings file, or of VEILGATE_BUNDLE, VEILGATE_BUNDLE_CA and",
            "  VEILGATE_AUTHORITY.",
        },
        footer = {
            "  ${ROOT-COMMAND-NAME} mail send --bundle acme.vgb --authority acme.fingerprint --smtp-url smtp://gateway.example.org < mail.eml",
            "  ${ROOT-COMMAND-NAME} mail send --bundle acme.vgb --authority acme.fingerprint -o sealed.eml --input mail.eml bob@example.org",
        })
final class MailSendCommand implements Callable<Integer> {
    private static final Set<String> RECIPIENTS = Set.of("to", "cc", "bcc", "resent-to", "resent-cc", "resent-bcc");

    private final Terminal terminal;

    private CommandSpec spec;

    @Option(names = "--input", paramLabel = "FILE", description = "The message; standard input if not given.")
    private @Nullable Path input;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "Write the sealed mail there instead of sending it; with hidden recipients, also FILE.1, FILE.2, ...")
    private @Nullable Path output;

    @Option(
            names = {"-f", "--from"},
            paramLabel = "ADDRESS",
            description = "Sender of the SMTP envelope; that of From if not given.")
    private @Nullable String from;

    @Option(
            names = "--state",
            paramLabel = "FILE",
            description =
                    "Where the serial of the last bundle is kept, so that no older one is taken; beside the bundle, unless that is at an address: it is kept"
                            + " beside this file then.")
    private @Nullable Path state;

    @Parameters(paramLabel = "ADDRESS", arity = "0..*", description = "Recipients, instead of those in the header.")
    private List<String> recipients = new ArrayList<>();

    MailSendCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Spec
    void options(CommandSpec commandSpec) {
        spec = commandSpec;
        SettingOptions.addTo(commandSpec, MailKeys.OF_SENDING);
    }

    @Override
    public Integer call() throws CommandFailure, IOException {
        MailOptions options =
                MailOptions.of(spec.commandLine().getParseResult(), MailKeys.OF_SENDING, terminal::variable);
        RelaySettings next = output == null ? options.smtp() : null;
        var random = new SecureRandom();
        Path folder = Files.createTempDirectory("veilgate-mail");
        try (PlainMail mail = read(folder, random);
                MailSealing sealing = sealing(options, random)) {
            MailHeader header;
            try (InputStream in = new BufferedInputStream(mail.open())) {
                header = MailHeader.read(in).header();
            }
            List<String> to = recipients(header);
            String sender = from != null
                    ? from
                    : MailSealing.addresses(header, Set.of("from")).stream()
                            .findFirst()
                            .orElse("");
            requireKeys(sealing, to);
            boolean isOwned = options.signsAsSender();
            List<SealedCopy> copies = sealing.seal(mail, sender, to, address -> isOwned, () -> true, folder)
                    .copies();
            if (next == null) {
                write(copies);
            } else {
                send(next, sender, copies);
            }
            return ExitCode.OK;
        } catch (MalformedMailException | NoKeyException e) {
            throw new CommandFailure(ExitCode.REFUSED, e.getMessage() + "; nothing was sent", e);
        } finally {
            delete(folder);
        }
    }

    private MailSealing sealing(MailOptions options, SecureRandom random) throws CommandFailure, IOException {
        Path serial = serial(options.settings().bundle());
        Path kept = serial.resolveSibling(serial.getFileName() + ".vgb");
        try (KeptBundle bundle = options.bundle(kept, terminal.clock(), terminal.err()::println)) {
            SeenSerial seen = SeenSerial.keptIn(serial);
            var source = new BundleSource(bundle, options.fingerprint(), seen, terminal.clock());
            return new MailSealing(
                    source.current(),
                    options.settings().index(),
                    options.readers(),
                    options.form(terminal.clock()),
                    terminal.clock(),
                    random);
        } catch (BundleSource.UnkeptSerialException e) {
            throw new CommandFailure(ExitCode.IO, e.getMessage() + "; name a file of your own with --state", e);
        } catch (MalformedEncodingException | RefusedBundleException e) {
            throw new CommandFailure(ExitCode.REFUSED, options.settings().bundle() + ": " + e.getMessage(), e);
        }
    }

    private Path serial(BundleLocation bundle) throws CommandFailure {
        if (state != null) {
            return state.toAbsolutePath();
        }
        return switch (bundle) {
            case BundleLocation.OfFile file -> SeenSerial.beside(file.file());
            case BundleLocation.OfUrl _ ->
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "--state is needed with a bundle at an address: a file for its serial; the bundle is kept beside it");
        };
    }

    /** Reads the message, with CR LF at the end of every line. */
    private PlainMail read(Path folder, SecureRandom random) throws IOException {
        var mail = new PlainMail(folder, random);
        try (InputStream in = new BufferedInputStream(input == null ? terminal.in() : Files.newInputStream(input))) {
            CrLf.copy(in, mail);
        }
        return mail;
    }

    private List<String> recipients(MailHeader header) throws CommandFailure {
        var all = new LinkedHashSet<String>();
        if (recipients.isEmpty()) {
            all.addAll(MailSealing.addresses(header, RECIPIENTS));
        } else {
            recipients.forEach(r -> all.add(r.toLowerCase(Locale.ROOT)));
        }
        if (all.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "the message has no recipients; name them as arguments");
        }
        return List.copyOf(all);
    }

    private static void requireKeys(MailSealing sealing, List<String> to) throws CommandFailure {
        var without = new ArrayList<String>();
        for (String address : to) {
            try {
                sealing.certificate(address);
            } catch (NoKeyException e) {
                without.add("<" + address + ">: " + e.getMessage());
            }
        }
        if (!without.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.REFUSED, "no key for " + String.join(", ", without) + "; nothing was sent");
        }
    }

    private void write(List<SealedCopy> copies) throws IOException {
        for (int i = 0; i < copies.size(); i++) {
            Path target = i == 0 ? output : Path.of(output + "." + i);
            Files.move(copies.get(i).file(), target, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void send(RelaySettings next, String sender, List<SealedCopy> copies)
            throws IOException, CommandFailure {
        int refused = 0;
        int code = 0;
        try (SmtpConnection session = NextServer.connect(next, "localhost")) {
            for (SealedCopy copy : copies) {
                for (SmtpReply answer : session.send(sender, copy.recipients(), SmtpMessage.of(copy.file()))
                        .values()) {
                    if (!answer.isTaken()) {
                        refused++;
                        code = answer.code();
                    }
                }
            }
        } catch (IOException e) {
            throw new CommandFailure(ExitCode.IO, SmtpConnection.reason(e), e);
        }
        if (refused > 0) {
            throw new CommandFailure(
                    ExitCode.IO, "the SMTP server did not take " + refused + " of the recipients (" + code + ")");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    /** Lines as mail has them. */
    private static final class CrLf {
        static void copy(InputStream in, OutputStream out) throws IOException {
            var buffered = new java.io.BufferedOutputStream(out, 8 << 10);
            int before = 0;
            for (int b = in.read(); b >= 0; b = in.read()) {
                if (b == '\n' && before != '\r') {
                    buffered.write('\r');
                } else if (before == '\r' && b != '\n') {
                    buffered.write('\n');
                }
                buffered.write(b);
                before = b;
            }
            if (before == '\r') {
                buffered.write('\n');
            }
            buffered.flush();
        }
    }
}
