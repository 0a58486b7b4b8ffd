package dev.veilgate.cli;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.authority.IssuedEntries;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Issues readers' keys. */
@Command(
        name = "issue",
        header = "Issue a reader's key: for attributes, in an epoch",
        description = {
            "  Makes a file with the keys of one reader, sealed by a passphrase of its own. It opens what is sealed for a policy that the",
            "  attributes satisfy, in the given epochs and in no other: whoever is to lose an attribute is not issued the next epoch's key.",
            "  What was issued is remembered; --again issues the same for another epoch to all readers, a file for each, in one call.",
            "  A number (clearance = 5) can be compared in policies: clearance >= 3. Nothing is sent to anybody.",
        },
        footer = {
            "  veilgate keys issue ada --attributes 'role:auditor, site:plant-7' -o ada.vgr",
            "  veilgate keys issue carl --attributes 'role:dpo, clearance = 5' --epoch 2026-10..2026-12 -o carl.vgr",
            "  veilgate keys issue --again --epoch 2026-12 -o readers-2026-12/",
            "  veilgate search --gateway https://gateway.example.org --token-file token --scope plant-7 --reader-key ada.vgr overheat",
        })
final class KeysIssueCommand extends AuthorityCommand {
    @Parameters(arity = "0..1", paramLabel = "READER", description = "Who gets the key.")
    private @Nullable String reader;

    @Option(
            names = "--attributes",
            paramLabel = "ATTRIBUTES",
            description = "'role:auditor, site:plant-7, clearance = 5'.")
    private @Nullable String attributes;

    @Option(
            names = "--policy",
            paramLabel = "POLICY",
            description =
                    "For a scheme whose keys have policies, instead: what the reader may read, 'site:plant-7 AND level >= 3'.")
    private @Nullable String policy;

    @Option(
            names = "--epoch",
            paramLabel = "EPOCHS",
            description = "Epochs: one, a list 2026-11,2026-12, a range 2026-11..2027-01; the present one.")
    private @Nullable String epochs;

    @Option(names = "--again", description = "Issue to all readers what they were given last.")
    private boolean again;

    @Option(
            names = "-o",
            required = true,
            paramLabel = "FILE|DIR",
            description = "The file to write; with --again a folder, made if it is not there.")
    private Path output = Path.of("");

    @Option(
            names = "--reader-passphrase-file",
            paramLabel = "FILE",
            description =
                    "Take the passphrase of the reader's file from the first line of a file. Otherwise VEILGATE_READER_PASSPHRASE is used, or a"
                            + " terminal is asked.")
    private @Nullable Path readerPassphraseFile;

    @Mixin
    private PassphraseCostOptions passphraseCost = new PassphraseCostOptions();

    KeysIssueCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.CHANGE);
    }

    @Override
    void checkArguments() throws CommandFailure {
        boolean one = reader != null && (attributes == null) != (policy == null);
        if (again ? reader != null || attributes != null || policy != null : !one) {
            throw new CommandFailure(
                    ExitCode.USAGE, "name a reader with --attributes or --policy; or --again, alone, for all readers");
        }
        if (!again) {
            label();
        }
        passphraseCost.cost();
    }

    private Label label() throws CommandFailure {
        try {
            return policy != null
                    ? new Label.OfPolicy(Policy.parse(policy))
                    : new Label.OfAttributes(AttributeSet.parse(String.valueOf(attributes)));
        } catch (PolicySyntaxException e) {
            throw new CommandFailure(
                    ExitCode.USAGE, (policy != null ? "--policy: " : "--attributes: ") + e.getMessage(), e);
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        TenantKeys keys = folder.keys();
        List<String> epochNames = epochs(keys);
        byte[] passphrase = new Passphrases(
                        terminal, readerPassphraseFile, ReaderKeyOptions.VARIABLE, "passphrase of the reader's key")
                .chosen();
        try {
            if (again) {
                Map<String, Label> readers = keys.readers();
                if (readers.isEmpty()) {
                    throw new CommandFailure(ExitCode.NO_MATCH, "no reader was issued a key yet");
                }
                Files.createDirectories(output);
                for (Map.Entry<String, Label> each : readers.entrySet()) {
                    Path file = output.resolve(OriginPaths.part(each.getKey()) + ".vgr");
                    issue(folder, each.getKey(), each.getValue(), epochNames, file, passphrase);
                }
            } else {
                issue(folder, String.valueOf(reader), label(), epochNames, output, passphrase);
            }
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
        folder.save();
        return ExitCode.OK;
    }

    private void issue(
            KeyFolder folder, String holder, Label label, List<String> epochNames, Path file, byte[] passphrase)
            throws IOException, CommandFailure, MalformedEncodingException {
        List<ReaderKey> issued;
        try {
            issued = folder.keys().issueReaderKeys(holder, label, epochNames, new SecureRandom());
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
        try {
            byte[] sealed = ReaderKeyFile.seal(issued, passphrase, passphraseCost.cost(), new SecureRandom());
            CommandLog.append(
                    terminal,
                    folder,
                    List.of(IssuedEntries.attributeKey(CommandLog.actor(), holder, label.toString(), epochNames)));
            ReaderKeyFile.write(file, sealed);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        } finally {
            issued.forEach(ReaderKey::close);
        }
        terminal.out()
                .println(file + ": " + Printable.of(holder) + ", " + Printable.of(label.toString()) + ", "
                        + String.join(", ", epochNames));
    }

    private List<String> epochs(TenantKeys keys) throws CommandFailure {
        if (epochs == null) {
            return List.of(keys.epochs().at(terminal.clock().instant()).name());
        }
        try {
            return keys.epochs().parse(epochs);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, "--epoch: " + e.getMessage(), e);
        }
    }
}
