package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Recipient;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.envelope.smime.RecipientCertificate;
import dev.veilgate.envelope.smime.RefusedCertificateException;
import dev.veilgate.envelope.smime.SignedMail;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes what goes into bundles. */
abstract sealed class KeysChange extends AuthorityCommand
        permits AddSenderCommand,
                RemoveSenderCommand,
                KeysChange.AddRecipient,
                KeysChange.RemoveRecipient,
                KeysChange.WithdrawRecipient,
                KeysChange.AddScope,
                KeysChange.RemoveScope,
                KeysChange.RemoveReader,
                KeysChange.SealWith,
                KeysMailSignerCommand.New,
                KeysMailSignerCommand.Import,
                KeysMailSignerCommand.Remove,
                KeysProfileCommand,
                KeysRulesCommand {
    private static final int MAX_FILE_BYTES = 1 << 20;

    KeysChange(Terminal terminal) {
        super(terminal, KeyFolder.Access.CHANGE);
    }

    /** Of the entry in the issuing log. */
    EntryKind kind() {
        return EntryKind.SENDER_CHANGE;
    }

    /** What the issuing log says of it, an entry each. */
    List<String> entries(String done) {
        return List.of(done);
    }

    /** What is to be known or done after it, for people. */
    String consequence(TenantKeys keys) {
        return "senders know it with the next bundle: veilgate keys bundle";
    }

    /** The change; what was done, for people. */
    abstract String change(TenantKeys keys) throws Exception;

    @Override
    int run(KeyFolder folder) throws Exception {
        String done;
        try {
            done = change(folder.keys());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
        List<LogDraft> drafts = entries(done).stream()
                .map(entry -> CommandLog.done(kind(), "changed", entry))
                .toList();
        if (!drafts.isEmpty()) {
            CommandLog.append(terminal, folder, drafts);
        }
        folder.save();
        terminal.out().println(done);
        terminal.out().println(consequence(folder.keys()));
        return ExitCode.OK;
    }

    static byte[] read(Terminal terminal, String name) throws IOException, CommandFailure {
        byte[] bytes;
        try (InputStream in = name.equals("-") ? terminal.in() : Files.newInputStream(Path.of(name))) {
            bytes = in.readNBytes(MAX_FILE_BYTES + 1);
        }
        if (bytes.length > MAX_FILE_BYTES) {
            throw new CommandFailure(ExitCode.REFUSED, name + ": more than " + MAX_FILE_BYTES + " bytes");
        }
        return bytes;
    }

    private static String removed(boolean was, String what) throws CommandFailure {
        if (!was) {
            throw new CommandFailure(ExitCode.USAGE, "there is no such " + what + "; veilgate keys show lists them");
        }
        return "removed the " + what;
    }

    /** Adds a recipient of mail. */
    @Command(
            name = "add-recipient",
            header = "Add a recipient of mail with its certificate",
            description = {
                "  The mail proxy seals mail to this address for this certificate, and its keywords for this scope. A mail that the",
                "  recipient's own program signed has the certificate in it, and may say that the program reads AuthEnvelopedData. Compare",
                "  the fingerprint that is printed with the recipient's, by another way than the mail.",
            },
            footer = {
                "  veilgate keys add-recipient --address ann@acme.example --certificate ann.pem --scope mail-ann",
                "  veilgate keys add-recipient --address ann@acme.example --certificate hello.eml --scope mail-ann",
            })
    static final class AddRecipient extends KeysChange {
        @Option(names = "--address", required = true, paramLabel = "ADDRESS", description = "The mail address.")
        private String address = "";

        @Option(
                names = "--certificate",
                required = true,
                paramLabel = "FILE",
                description = "Its S/MIME certificate, PEM or DER, or a signed mail of the recipient's.")
        private String certificate = "";

        @Option(
                names = "--scope",
                required = true,
                paramLabel = "SCOPE",
                description = "What an auditor of this mailbox is granted.")
        private String scope = "";

        /** Set by a signed mail of the recipient whose program says that it reads AuthEnvelopedData. */
        private boolean readsAuthenticated;

        AddRecipient(Terminal terminal) {
            super(terminal);
        }

        @Override
        String change(TenantKeys keys) throws Exception {
            byte[] file = read(terminal, certificate);
            X509Certificate parsed = certificate(file);
            try {
                parsed.checkValidity(java.util.Date.from(terminal.clock().instant()));
            } catch (CertificateException e) {
                throw new CommandFailure(ExitCode.REFUSED, certificate + ": not a valid certificate, or expired", e);
            }
            keys.putRecipient(new Recipient(PublicBundle.canonicalAddress(address), parsed.getEncoded(), scope));
            return "recipient " + Printable.of(PublicBundle.canonicalAddress(address)) + ", certificate "
                    + MailSigner.fingerprint(parsed);
        }

        /** The certificate in a file, or of the signer of a mail. */
        private X509Certificate certificate(byte[] file) throws CommandFailure {
            try {
                return (X509Certificate)
                        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(file));
            } catch (CertificateException e) {
                return ofMail(file);
            }
        }

        private X509Certificate ofMail(byte[] file) throws CommandFailure {
            try {
                SignedMail mail = SignedMail.read(file);
                RecipientCertificate.check(
                        mail.certificate().getEncoded(),
                        PublicBundle.canonicalAddress(address),
                        terminal.clock().instant());
                readsAuthenticated = mail.readsAuthenticated();
                return mail.certificate();
            } catch (MalformedMailException | CertificateException e) {
                throw new CommandFailure(
                        ExitCode.REFUSED,
                        certificate + ": neither a certificate nor a mail that its sender signed by S/MIME",
                        e);
            } catch (RefusedCertificateException e) {
                throw new CommandFailure(ExitCode.REFUSED, certificate + ": " + e.getMessage(), e);
            }
        }

        @Override
        String consequence(TenantKeys keys) {
            String usual = super.consequence(keys);
            return readsAuthenticated
                    ? usual
                            + "\nthe mail's program says that it reads AuthEnvelopedData: if all programs of this recipient do, name "
                            + Printable.of(PublicBundle.canonicalAddress(address))
                            + " in mail.authenticated of the mail proxies"
                    : usual;
        }
    }

    /** Removes a recipient of mail. */
    @Command(
            name = "remove-recipient",
            header = "Remove a recipient of mail",
            footer = "  veilgate keys remove-recipient ann@acme.example")
    static final class RemoveRecipient extends KeysChange {
        @Parameters(paramLabel = "ADDRESS", description = "The mail address.")
        private String address = "";

        RemoveRecipient(Terminal terminal) {
            super(terminal);
        }

        @Override
        String change(TenantKeys keys) throws Exception {
            return removed(keys.removeRecipient(address), "recipient") + " " + Printable.of(address);
        }
    }

    /** Takes a recipient's certificate back. */
    @Command(
            name = "withdraw",
            header = "Take the certificate of a user of mail back",
            description = {
                "  Nothing is sealed for it any more by edges that have the next bundle. What was sealed before stays readable to whoever",
                "  has the key; the issuing log says when it was withdrawn.",
            },
            footer = "  veilgate mail withdraw ada@acme.example && veilgate keys bundle -o acme.vgb")
    static final class WithdrawRecipient extends KeysChange {
        @Parameters(paramLabel = "ADDRESS", description = "The mail address.")
        private String address = "";

        WithdrawRecipient(Terminal terminal) {
            super(terminal);
        }

        @Override
        String change(TenantKeys keys) throws Exception {
            String canonical = PublicBundle.canonicalAddress(address);
            Recipient recipient = keys.recipients().stream()
                    .filter(each -> each.address().equals(canonical))
                    .findFirst()
                    .orElseThrow(() -> new CommandFailure(
                            ExitCode.USAGE,
                            Printable.of(canonical) + " is not enrolled; veilgate mail enrolled lists who is"));
            keys.removeRecipient(canonical);
            return "withdrew the certificate of " + canonical + ", " + digest(recipient.certificate());
        }

        private static String digest(byte[] certificate) throws NoSuchAlgorithmException {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate));
        }

        @Override
        String consequence(TenantKeys keys) {
            return "edges seal for it until they have the next bundle: veilgate keys bundle";
        }
    }

    /** Forgets a reader. */
    @Command(
            name = "remove-reader",
            header = "Remove a reader, who is not issued the next epoch's key with the others",
            description = {
                "  What was issued stays good for its epochs, also those to come: senders and bundles do not know readers. To shut a",
                "  reader out before they end, veilgate keys revoke.",
            },
            footer = "  veilgate keys remove-reader ada")
    static final class RemoveReader extends KeysChange {
        @Parameters(paramLabel = "READER", description = "The reader's name.")
        private String name = "";

        RemoveReader(Terminal terminal) {
            super(terminal);
        }

        @Override
        EntryKind kind() {
            return EntryKind.ATTRIBUTE_KEY_REVOKED;
        }

        @Override
        String change(TenantKeys keys) throws Exception {
            return removed(keys.removeReader(name), "reader") + " " + Printable.of(name);
        }

        @Override
        String consequence(TenantKeys keys) {
            String epochs = keys.issuedTo(name)
                    .map(its -> String.join(", ", its.epochs()))
                    .orElse("the epochs that it was issued for");
            boolean searched = keys.issuedTo(name)
                    .filter(its -> !its.indexKeys().isEmpty())
                    .isPresent();
            return "its keys stay good for what is sealed in " + epochs
                    + (searched ? ", to open and to find it" : "")
                    + "; to end that before: veilgate keys revoke";
        }
    }

    /** Chooses the scheme that seals for policies. */
    @Command(
            name = "seal-with",
            header = "Choose the scheme that senders seal with for policies",
            description = {
                "  Where there are pairs of several schemes that take the same labels, such as cp-fabeo22 and cp-bsw07, senders seal under",
                "  one of them: keys show says which. Readers need keys of it: issue them before the next bundle goes out.",
            },
            footer = "  veilgate keys seal-with cp-fabeo22")
    static final class SealWith extends KeysChange {
        @Parameters(paramLabel = "SCHEME", description = "cp-fabeo22, cp-bsw07; kp-fabeo22, kp-gpsw06.")
        private String scheme = "";

        SealWith(Terminal terminal) {
            super(terminal);
        }

        @Override
        EntryKind kind() {
            return EntryKind.KEY_CHANGE;
        }

        @Override
        String change(TenantKeys keys) {
            keys.sealWith(scheme);
            return "what is for policies is sealed with " + Printable.of(scheme);
        }
    }

    /** Adds a scope. */
    @Command(
            name = "add-scope",
            header = "Add a scope that senders may name",
            description = "  As long as there is none, senders may name any.",
            footer = "  veilgate keys add-scope plant-7")
    static final class AddScope extends KeysChange {
        @Parameters(paramLabel = "SCOPE", description = "What an auditor is granted: a plant, a mailbox.")
        private String scope = "";

        AddScope(Terminal terminal) {
            super(terminal);
        }

        @Override
        String change(TenantKeys keys) {
            keys.addScope(scope);
            return "scope " + Printable.of(scope);
        }
    }

    /** Removes a scope. */
    @Command(name = "remove-scope", header = "Remove a scope", footer = "  veilgate keys remove-scope plant-7")
    static final class RemoveScope extends KeysChange {
        @Parameters(paramLabel = "SCOPE", description = "The scope.")
        private String scope = "";

        RemoveScope(Terminal terminal) {
            super(terminal);
        }

        @Override
        String change(TenantKeys keys) throws Exception {
            return removed(keys.removeScope(scope), "scope") + " " + Printable.of(scope);
        }
    }
}
