package dev.veilgate.cli;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.profiles.LaterRules;
import dev.veilgate.sender.IdentityFile;
import dev.veilgate.sender.MailSignerFile;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Both roles in one folder, to try things. */
@Command(
        name = "quickstart",
        header = "Make everything that is needed to try Veilgate on one machine",
        description = {
            "  In a new folder: the keys of a tenant under a passphrase that is asked for twice, a registered sender, the key that",
            "  mail is signed with (mail-signer.p12 and its passphrase), the public bundle, and a file env for the shell, with which seal, search, open, verify and trapdoor need no options.",
            "  Where it matters, authority and senders are on different machines: see veilgate help keys.",
        },
        footer = {
            "  veilgate quickstart demo && . demo/env",
            "  journalctl -o short | veilgate seal -o demo/journal.vge",
            "  veilgate search 'password root' demo/journal.vge",
        })
final class QuickstartCommand implements Callable<Integer> {
    private static final Duration BUNDLE_VALID = Duration.ofDays(90);

    private final Terminal terminal;

    @Parameters(paramLabel = "FOLDER", description = "A new folder; its name is the tenant's, too.")
    private Path folder = Path.of("");

    @Option(names = "--sender", paramLabel = "NAME", description = "The sender's name; sender unless given.")
    private String sender = "sender";

    @Option(names = "--scope", paramLabel = "SCOPE", description = "What is sealed and searched; demo unless given.")
    private String scope = "demo";

    @Option(
            names = "--mail-domain",
            paramLabel = "DOMAIN",
            description = "Sign mail as senders in this mail domain; can be repeated. Without, as the tenant only.")
    private List<String> mailDomains = new ArrayList<>();

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description =
                    "Take the passphrase from the first line of a file. Otherwise VEILGATE_PASSPHRASE is used, or a terminal is asked.")
    private @Nullable Path passphraseFile;

    QuickstartCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Path root = folder.toAbsolutePath().normalize();
        if (Files.exists(root) && !isEmpty(root)) {
            throw new CommandFailure(ExitCode.USAGE, folder + ": is there already; name a new folder");
        }
        String tenant = String.valueOf(root.getFileName());
        List<String> domains = MailDomains.checked("--mail-domain", mailDomains);
        byte[] secret = new Passphrases(terminal, passphraseFile).chosen();
        SecureRandom random = new SecureRandom();
        Instant now = terminal.clock().instant();
        byte[] profile = ExtractorProfile.defaults().encode();
        Files.createDirectories(root);
        try (TenantKeys keys = TenantKeys.generate(
                        tenant, SearchScheme.DEFAULT, EpochPolicy.MONTHLY, profile, domains, random, now);
                KeyFolder opened =
                        KeyFolder.create(root.resolve("keys"), keys, secret, PassphraseCost.DEFAULT, random);
                SigningKey identity = IdentityFile.create(root.resolve("sender.identity"), sender, random)) {
            LaterRules.begin(keys, now);
            keys.putSender(identity.publicKey());
            MailSignerFile.create(root, keys.mailSigner().orElseThrow(), random);
            byte[] bundle = keys.nextBundle(now, BUNDLE_VALID);
            opened.save(); // before the serial is out
            keys.senders().publish(SenderRegistry.beside(root.resolve("bundle.vgb")));
            DurableFiles.replace(root, "bundle.vgb", null, bundle);
            byte[] variables = environment(root, keys.authority().fingerprint()).getBytes(StandardCharsets.UTF_8);
            DurableFiles.replace(root, "env", null, variables);
        } catch (KeyFileException e) {
            throw KeyFolderOptions.failure(e);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        } finally {
            Arrays.fill(secret, (byte) 0);
        }
        terminal.out()
                .println("keys, a sender and the public bundle are in " + folder + "; now:  . " + folder + "/env");
        return ExitCode.OK;
    }

    private static boolean isEmpty(Path root) throws IOException {
        try (var entries = Files.list(root)) {
            return entries.findAny().isEmpty();
        }
    }

    private String environment(Path root, String fingerprint) {
        return "export VEILGATE_KEYS=" + quoted(root.resolve("keys").toString()) + "\n"
                + "export VEILGATE_BUNDLE=" + quoted(root.resolve("bundle.vgb").toString()) + "\n"
                + "export VEILGATE_AUTHORITY=" + fingerprint + "\n"
                + "export VEILGATE_IDENTITY="
                + quoted(root.resolve("sender.identity").toString()) + "\n"
                + "export VEILGATE_MAIL_SIGNING_KEY="
                + quoted(root.resolve(MailSignerFile.NAME).toString()) + "\n"
                + "export VEILGATE_MAIL_SIGNING_PASSPHRASE_FILE="
                + quoted(root.resolve(MailSignerFile.PASSPHRASE_NAME).toString()) + "\n"
                + "export VEILGATE_SCOPE=" + quoted(scope) + "\n";
    }

    /** A word of the shell, whatever is in it. */
    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
