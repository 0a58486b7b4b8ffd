package dev.veilgate.cli;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.WrapAlgorithm;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.profiles.LaterRules;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a tenant's keys. */
@Command(
        name = "init",
        header = "Make the keys of a tenant",
        description = {
            "  Makes a key of each kind in a new folder, sealed under a passphrase that is asked for twice, and prints the",
            "  fingerprint that senders pin. Keys that are there already are never overwritten.",
        },
        footer = {
            "  veilgate keys init --tenant acme --mail-domain acme.example --keys /srv/veilgate/keys",
            "  VEILGATE_PASSPHRASE=... veilgate keys init --tenant test --epochs daily",
        })
final class KeysInitCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--tenant",
            required = true,
            paramLabel = "NAME",
            description = "Whose keys; 1 to 255 bytes of UTF-8.")
    private String tenant = "";

    @Option(
            names = "--epochs",
            paramLabel = "POLICY",
            defaultValue = "monthly",
            description =
                    "How long a trapdoor is good for: daily, monthly (default) or yearly. Cannot be changed later.")
    private EpochPolicy epochs = EpochPolicy.MONTHLY;

    @Option(
            names = "--mail-domain",
            paramLabel = "DOMAIN",
            description =
                    "Sign mail as of senders in this domain, as `keys mail-signer new --domain` does; can be repeated.")
    private List<String> mailDomains = new ArrayList<>();

    @Option(
            names = "--rules",
            paramLabel = "NUMBER",
            description = {
                "Rules of keywords: 2 (default), with 1 beside them for senders of before, or 1 alone, to which",
                "`keys rules` adds 2 later."
            })
    private int rules = ExtractorProfile.NEWEST_RULES;

    @Mixin
    private SearchSchemeOptions search = new SearchSchemeOptions();

    @Mixin
    private WrapAlgorithmOption wrapAlgorithm = new WrapAlgorithmOption();

    @Mixin
    private PassphraseCostOptions passphraseCost = new PassphraseCostOptions();

    @Mixin
    private KeyFolderOptions keyFolder = new KeyFolderOptions();

    KeysInitCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        SearchScheme searchScheme = search.chosen().orElse(SearchScheme.DEFAULT);
        WrapAlgorithm wrap = wrapAlgorithm.chosen().orElse(WrapAlgorithm.X_WING);
        PassphraseCost cost = passphraseCost.cost();
        List<String> domains = MailDomains.checked("--mail-domain", mailDomains);
        if (rules < ExtractorProfile.RULES || rules > ExtractorProfile.NEWEST_RULES) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--rules: must be " + ExtractorProfile.RULES + " or " + ExtractorProfile.NEWEST_RULES);
        }
        Path path = keyFolder.folder(terminal);
        if (Files.exists(path.resolve(KeyFolder.KEY_FILE))) {
            throw new CommandFailure(ExitCode.KEY, path + " has keys already; they are not overwritten");
        }
        byte[] passphrase = keyFolder.passphrases(terminal).chosen();
        SecureRandom random = new SecureRandom();
        try (TenantKeys keys = generate(searchScheme, wrap, domains, random);
                KeyFolder folder = KeyFolder.create(path, keys, passphrase, cost, random)) {
            terminal.out()
                    .println("keys of " + Printable.of(tenant) + " are in " + path + "; back up the whole folder");
            terminal.out().println("authority " + folder.keys().authority().fingerprint());
            return ExitCode.OK;
        } catch (KeyFileException e) {
            throw KeyFolderOptions.failure(e);
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    private TenantKeys generate(
            SearchScheme searchScheme, WrapAlgorithm wrap, List<String> domains, SecureRandom random)
            throws CommandFailure, MalformedEncodingException {
        try {
            Instant now = terminal.clock().instant();
            byte[] profile = ExtractorProfile.defaults().encode();
            TenantKeys keys = TenantKeys.generate(tenant, searchScheme, wrap, epochs, profile, domains, random, now);
            if (rules != ExtractorProfile.RULES) {
                LaterRules.begin(keys, now);
            }
            return keys;
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--tenant: " + e.getMessage(), e);
        }
    }
}
