package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.enrolment.EnrolmentFiles;
import dev.veilgate.enrolment.MailEnrolment;
import dev.veilgate.enrolment.MailServers;
import dev.veilgate.enrolment.MailServers.Server;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.smime.AddressForm;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RecipientKey;
import dev.veilgate.envelope.smime.RefusedCertificateException;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes somebody a user of sealed mail: key, certificate, a place in the bundle, and a folder to hand over. */
@Command(
        name = "enrol",
        header = "Enrol a user of mail: make their key and certificate, and a folder to give them",
        description = {
            "  The certificate is for encryption only, by the tenant's authority for mail. The folder has the key in a",
            "  PKCS #12 file under a passphrase that is shown once, on the terminal: give them to the user by two",
            "  different ways. Neither is kept here. With --request the user keeps a key of their own, which the",
            "  authority never has.",
            "  The servers of --imap and --smtp are remembered for the next user. The folder has settings of mail",
            "  programs once both are known.",
        },
        footer = {
            "  veilgate mail enrol ada@acme.example --imap mail.acme.example --smtp proxy.acme.example",
            "  veilgate keys bundle -o acme.vgb",
            "  veilgate mail enrol bob@acme.example",
            "  veilgate mail enrol bob@acme.example --renew --out bob-2031",
            "  openssl req -new -newkey rsa:3072 -noenc -keyout eve.key -subj /CN=eve -out eve.csr",
            "  veilgate mail enrol eve@acme.example --request eve.csr",
        })
final class MailEnrolCommand extends AuthorityCommand {
    @Parameters(paramLabel = "ADDRESS", description = "The user's mail address.")
    private String given = "";

    @Option(
            names = "--key",
            paramLabel = "KIND",
            description = "rsa-3072 (unless given), which all mail programs open; rsa-4096, p256 or p384.")
    private @Nullable String kind;

    @Option(
            names = "--request",
            paramLabel = "FILE",
            description =
                    "Issue a certificate for a key that the user made: a request (PKCS #10); - is standard input.")
    private @Nullable String request;

    @Option(
            names = "--scope",
            paramLabel = "SCOPE",
            description =
                    "What an auditor of this mailbox is granted; the one of before, or mailbox-ADDRESS, unless given.")
    private @Nullable String scope;

    @Option(
            names = "--renew",
            description =
                    "Give a user another key and certificate. The former key goes on opening what was sealed for it.")
    private boolean renew;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FOLDER",
            description = "The new folder; named as the address unless given.")
    private @Nullable Path output;

    @Option(names = "--imap", paramLabel = "HOST[:PORT]", description = "Where users read mail; port 993 unless given.")
    private @Nullable String imap;

    @Option(
            names = "--smtp",
            paramLabel = "HOST[:PORT]",
            description = "The mail proxy that users send by; port 2525 unless given.")
    private @Nullable String smtp;

    @Option(names = "--any-domain", description = "Enrol an address of a domain that is none of the tenant's.")
    private boolean anyDomain;

    @Option(
            names = "--print-passphrase",
            description = "Print the passphrase where there is no terminal, too: to whatever reads standard output.")
    private boolean printPassphrase;

    private static final ServerOption IMAP = new ServerOption("--imap", MailServers.IMAPS);
    private static final ServerOption SMTP = new ServerOption("--smtp", MailServers.PROXY);

    /** @param port unless it is given */
    private record ServerOption(String name, int port) {}

    private final SecureRandom random = new SecureRandom();
    private String address = "";

    MailEnrolCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.CHANGE);
    }

    @Override
    void checkArguments() throws CommandFailure {
        address = PublicBundle.canonicalAddress(given);
        if (!AddressForm.isTaken(address)) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "\"" + Printable.of(given)
                            + "\" is no mail address: it is written local@domain, in ASCII letters,"
                            + " digits and signs without blanks and quotes");
        }
        if (kind != null && RecipientKey.Kind.of(kind).isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "--key: is rsa-3072, rsa-4096, p256 or p384");
        }
        if (kind != null && request != null) {
            throw new CommandFailure(ExitCode.USAGE, "--key or --request, not both: with a request the key is there");
        }
        server(IMAP, imap);
        server(SMTP, smtp);
        EnrolmentFolder.requireNew(folder());
        if (request == null) {
            passphraseTo();
        }
    }

    private Path folder() {
        return output == null ? EnrolmentFolder.unlessGiven(address) : output;
    }

    /**
     * The stream to print the passphrase to: a terminal, so that it is in no file.
     *
     * @throws CommandFailure if there is none, and nobody asked for it all the same
     */
    private PrintStream passphraseTo() throws CommandFailure {
        if (terminal.outIsTerminal() || printPassphrase) {
            return terminal.out();
        }
        if (terminal.errIsTerminal()) {
            return terminal.err();
        }
        throw new CommandFailure(
                ExitCode.USAGE,
                "there is no terminal to show the passphrase on; --print-passphrase prints it to standard output all"
                        + " the same");
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        TenantKeys keys = folder.keys();
        Optional<Recipient> before = keys.recipients().stream()
                .filter(each -> each.address().equals(address))
                .findFirst();
        requireRenewal(before.isPresent());
        if (!anyDomain) {
            MailDomains.requireOfTenant(keys, address, "--any-domain enrols all the same");
        }
        MailServers servers = MailServers.kept(folder.path()).with(server(IMAP, imap), server(SMTP, smtp));
        String itsScope = scope != null ? scope : before.map(Recipient::scope).orElse("mailbox-" + address);
        checkScope(itsScope);
        MailEnrolment enrolment = request == null ? withNewKey() : requested();
        log(folder, enrolment, before.isPresent());
        try (MailEnrolment.Issued issued = issued(keys, enrolment, itsScope, servers)) {
            keys.putRecipient(issued.recipient());
            write(folder, issued.files(), servers);
            tell(issued, servers);
            noteOtherSigner(keys, keys.mailAuthority().orElseThrow());
            if (enrolment.isKeyMadeHere()) {
                tell(issued.passphrase());
            }
        }
        return ExitCode.OK;
    }

    private static Optional<Server> server(ServerOption option, @Nullable String given) throws CommandFailure {
        if (given == null) {
            return Optional.empty();
        }
        Optional<Server> server = Server.parse(given, option.port());
        if (server.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    option.name() + ": is written host or host:port, such as mail.acme.example:" + option.port());
        }
        return server;
    }

    private void requireRenewal(boolean isEnrolled) throws CommandFailure {
        if (isEnrolled && !renew) {
            throw new CommandFailure(
                    ExitCode.REFUSED,
                    address
                            + " is enrolled already; --renew replaces the certificate, and the former key goes on"
                            + " opening what was sealed for it");
        }
        if (!isEnrolled && renew) {
            throw new CommandFailure(ExitCode.REFUSED, address + " is not enrolled yet: leave --renew out");
        }
    }

    /** Before anything is logged. */
    private void checkScope(String itsScope) throws CommandFailure {
        try {
            new Recipient(address, new byte[1], itsScope);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private MailEnrolment withNewKey() {
        RecipientKey.Kind made = kind == null
                ? RecipientKey.Kind.RSA_3072
                : RecipientKey.Kind.of(kind).orElseThrow();
        if (terminal.errIsTerminal()) {
            terminal.err().println("making a key, " + made.label() + " ...");
        }
        return MailEnrolment.withNewKey(address, made, random);
    }

    private MailEnrolment requested() throws IOException, CommandFailure {
        String file = String.valueOf(request);
        try {
            return MailEnrolment.ofRequest(address, KeysChange.read(terminal, file), random);
        } catch (RefusedCertificateException e) {
            throw new CommandFailure(ExitCode.REFUSED, file + ": " + e.getMessage(), e);
        }
    }

    /** First of all: no certificate exists that the log does not tell of. */
    private void log(KeyFolder folder, MailEnrolment enrolment, boolean isRenewal) throws IOException, CommandFailure {
        CommandLog.append(
                terminal,
                folder,
                enrolment.described(CommandLog.done(
                        EntryKind.SENDER_CHANGE, isRenewal ? "renewing" : "enrolling", "recipient " + address)));
    }

    private MailEnrolment.Issued issued(TenantKeys keys, MailEnrolment enrolment, String itsScope, MailServers servers)
            throws CommandFailure, CertificateEncodingException {
        try {
            return enrolment.issue(keys, itsScope, servers, terminal.clock().instant());
        } catch (IllegalStateException e) {
            throw new CommandFailure(ExitCode.KEY, String.valueOf(e.getMessage()), e);
        } catch (RefusedCertificateException e) {
            throw new CommandFailure(ExitCode.KEY, "the tenant's authority for mail: " + e.getMessage(), e);
        }
    }

    /** The folder comes first: a certificate in bundles whose key nobody has would seal mail for nobody. */
    private void write(KeyFolder folder, EnrolmentFiles files, MailServers servers) throws IOException, CommandFailure {
        EnrolmentFolder.write(folder(), files);
        boolean isSaved = false;
        try {
            servers.keep(folder.path());
            folder.save();
            isSaved = true;
        } finally {
            if (!isSaved) {
                EnrolmentFolder.delete(folder(), files);
            }
        }
    }

    private void tell(MailEnrolment.Issued issued, MailServers servers) {
        X509Certificate certificate = issued.certificate();
        PrintStream out = terminal.out();
        out.println(
                (renew ? "renewed " : "enrolled ") + address + ", certificate " + MailSigner.fingerprint(certificate)
                        + ", to " + certificate.getNotAfter().toInstant());
        out.println(folder() + ": " + String.join(", ", issued.files().byName().keySet()));
        if (!servers.areKnown()) {
            out.println(
                    "no settings for mail programs in it, as their servers are not known: --imap HOST and --smtp HOST"
                            + " name them, once for all users");
        }
        out.println("edges seal for it with the next bundle: veilgate keys bundle");
    }

    /** Says so where mail is signed by a key that is not below the authority: an imported one, or one of before. */
    private void noteOtherSigner(TenantKeys keys, X509Certificate authority) {
        X509Certificate last = keys.mailSigners().getFirst().getLast();
        if (!last.equals(authority)) {
            terminal.err()
                    .println("note: mail is signed by a key of another authority, "
                            + Printable.of(last.getSubjectX500Principal().getName())
                            + "; if mail programs do not trust it yet, users need it too: keys mail-signer show --pem");
        }
    }

    private void tell(char[] passphrase) throws CommandFailure {
        PrintStream out = passphraseTo();
        out.println(
                "give the folder to its user, and this passphrase by another way; it is shown once, and kept nowhere:");
        out.print("  ");
        out.println(passphrase);
        out.flush();
    }
}
