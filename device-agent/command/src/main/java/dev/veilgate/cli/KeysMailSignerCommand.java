package dev.veilgate.cli;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.smime.MailSigner;
import dev.veilgate.envelope.smime.RefusedSignerException;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the tenant's mail is signed with. */
@Command(
        name = "mail-signer",
        header = "Show, make, import and export the certificate that the tenant's mail is signed with",
        description = {
            "  Mail is signed where it is sealed, by veilgate mail send and mail proxy, with a key that export writes for them. Whoever",
            "  opens it takes signatures of the certificates in the public bundle for the tenant's: of the present one and of former",
            "  ones. So make a bundle after each change, and give edges a new key when the bundle has reached those who open mail.",
        },
        footer = {
            "  veilgate keys mail-signer show",
            "  veilgate keys mail-signer new --domain acme.example && veilgate keys bundle -o acme.vgb",
            "  veilgate keys mail-signer import acme-mail.p12",
            "  veilgate keys mail-signer export -o mail-signer.p12",
            "  veilgate keys mail-signer remove 5f3a...",
        },
        subcommands = {
            MailSignerShowCommand.class,
            KeysMailSignerCommand.New.class,
            KeysMailSignerCommand.Import.class,
            MailSignerExportCommand.class,
            KeysMailSignerCommand.Remove.class
        })
final class KeysMailSignerCommand implements Runnable {
    /** What is to be done after the present signer changed. */
    private static final String AFTER_CHANGE =
            "mail that it signs is opened with the next bundle: veilgate keys bundle; then give it to the edges: veilgate keys"
                    + " mail-signer export";

    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do with the mail signer: show, new, import, export, remove");
    }

    /** Makes another key. */
    @Command(
            name = "new",
            header = "Make a new key and certificate to sign the tenant's mail with",
            description = {
                "  The certificate is issued by the tenant's own certificate authority for mail, which is made if there is none. The former",
                "  certificate stays in bundles, so that mail which it signed is opened; remove takes it out.",
                "  With domains it is that of an authority for senders: mail of users who own an address in them is signed as of that",
                "  address, which mail programs ask for. Without, the new one is as the present one is.",
            },
            footer = "  veilgate keys mail-signer new --domain acme.example && veilgate keys bundle -o acme.vgb")
    static final class New extends KeysChange {
        @ArgGroup
        private @Nullable Senders senders;

        /** As whom it signs. */
        static final class Senders {
            @Option(
                    names = "--domain",
                    paramLabel = "DOMAIN",
                    description = "Sign as senders in this mail domain; can be repeated.")
            private List<String> domains = new ArrayList<>();

            @Option(names = "--tenant-only", description = "Sign as the tenant only, not as senders.")
            private boolean tenantOnly;
        }

        New(Terminal terminal) {
            super(terminal);
        }

        @Override
        EntryKind kind() {
            return EntryKind.KEY_CHANGE;
        }

        @Override
        String change(TenantKeys keys) throws Exception {
            Optional<MailSigner> present = keys.mailSigner();
            List<String> domains = senders == null
                    ? present.filter(MailSigner::isAuthority)
                            .map(MailSigner::domains)
                            .orElse(List.of())
                    : MailDomains.checked("--domain", senders.tenantOnly ? List.of() : senders.domains);
            try {
                keys.rotateMailSigner(
                        domains, new SecureRandom(), terminal.clock().instant());
            } catch (IllegalStateException e) {
                throw new CommandFailure(ExitCode.KEY, String.valueOf(e.getMessage()), e);
            }
            return "new mail signer "
                    + MailSigner.fingerprint(keys.mailSigners().getFirst().getFirst());
        }

        @Override
        String consequence(TenantKeys keys) {
            return AFTER_CHANGE;
        }
    }

    /** Takes a key of the site's own. */
    @Command(
            name = "import",
            header = "Sign the tenant's mail with a key and certificate of your own",
            description = {
                "  Takes a PKCS #12 file with one private key, RSA from 2,048 bits or on P-256, P-384 or P-521, and its certificates. The",
                "  key's own must be valid, for signatures and for mail. The former certificate stays in bundles, as with new.",
            },
            footer = {
                "  veilgate keys mail-signer import acme-mail.p12",
                "  veilgate keys mail-signer import --signer-passphrase-file p12.pass acme-mail.p12",
            })
    static final class Import extends KeysChange {
        @Parameters(paramLabel = "FILE", description = "The PKCS #12 file; - is standard input.")
        private String file = "";

        @Mixin
        private SignerPassphraseOptions passphrase = new SignerPassphraseOptions();

        Import(Terminal terminal) {
            super(terminal);
        }

        @Override
        EntryKind kind() {
            return EntryKind.KEY_CHANGE;
        }

        @Override
        String change(TenantKeys keys) throws Exception {
            MailSigner signer = signer();
            try {
                keys.setMailSigner(signer);
            } catch (IllegalStateException e) {
                throw new CommandFailure(ExitCode.KEY, String.valueOf(e.getMessage()), e);
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(ExitCode.REFUSED, file + ": " + e.getMessage(), e);
            }
            return "imported mail signer " + signer.fingerprint();
        }

        private MailSigner signer() throws IOException, CommandFailure {
            byte[] bytes = read(terminal, file);
            char[] secret = passphrase.existing(terminal);
            try {
                return MailSigner.fromPkcs12(bytes, secret, terminal.clock().instant());
            } catch (RefusedSignerException e) {
                throw new CommandFailure(ExitCode.REFUSED, file + ": " + e.getMessage(), e);
            } finally {
                Arrays.fill(secret, '\0');
            }
        }

        @Override
        String consequence(TenantKeys keys) {
            return AFTER_CHANGE;
        }
    }

    /** Takes a former certificate out. */
    @Command(
            name = "remove",
            header = "Take a former mail signer's certificate out of bundles",
            description = {
                "  For a key that somebody else may have. Whoever has the next bundle does not take its signatures for the tenant's any more,",
                "  neither on new mail nor on old. To replace the present one: new or import first.",
            },
            footer = "  veilgate keys mail-signer remove 5f3ab1...")
    static final class Remove extends KeysChange {
        @Parameters(paramLabel = "FINGERPRINT", description = "As keys mail-signer show prints it.")
        private String fingerprint = "";

        Remove(Terminal terminal) {
            super(terminal);
        }

        @Override
        EntryKind kind() {
            return EntryKind.KEY_CHANGE;
        }

        @Override
        String change(TenantKeys keys) throws CommandFailure {
            String canonical = canonical();
            if (!keys.removeMailSigner(canonical)) {
                throw new CommandFailure(
                        ExitCode.USAGE, "there is no such mail signer; veilgate keys mail-signer show lists them");
            }
            return "removed mail signer " + canonical;
        }

        private String canonical() throws CommandFailure {
            try {
                return PublicBundle.canonicalFingerprint(fingerprint);
            } catch (IllegalArgumentException e) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "a fingerprint has 64 hex digits; veilgate keys mail-signer show prints those of mail signers",
                        e);
            }
        }

        @Override
        String consequence(TenantKeys keys) {
            return "its signatures count until those who open mail have the next bundle: veilgate keys bundle";
        }
    }
}
