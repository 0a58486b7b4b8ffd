package dev.veilgate.cli;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.SearchReach;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
            "  What was issued is remembered; --again issues the same for another epoch to all readers whose keys have not lapsed, a file",
            "  for each, under a passphrase of its own, in one call.",
            "  A number (clearance = 5) can be compared in policies: clearance >= 3. Nothing is sent to anybody.",
            "  With --search the file has searcher's keys, too: where senders seal keywords by cp-zxa14 for searchers whom --index-policy names, and",
            "  the attributes satisfy that, the reader makes trapdoors of any keyword itself, in every scope, for the given epochs.",
        },
        footer = {
            "  veilgate keys issue ada --attributes 'role:auditor, site:plant-7' -o ada.vgr",
            "  veilgate keys issue carl --attributes 'role:dpo, clearance = 5' --epoch 2026-10..2026-12 -o carl.vgr",
            "  veilgate keys issue ada --search --attributes 'role:auditor, site:plant-7' -o ada.vgr",
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
            names = "--search",
            description =
                    "Also keys to search with, where the attributes satisfy an index policy; --again keeps to it.")
    private boolean search;

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
            names = ReaderKeyOptions.PASSPHRASE_FILE,
            paramLabel = "FILE",
            description =
                    "Take the passphrase of the reader's file from the first line of a file. Otherwise VEILGATE_READER_PASSPHRASE is used, or a"
                            + " terminal is asked.")
    private @Nullable Path readerPassphraseFile;

    @Option(
            names = "--reader-passphrases",
            paramLabel = "DIR",
            description =
                    "With --again: take each reader's passphrase from the first line of NAME.txt in a folder. Otherwise one is drawn for each and"
                            + " printed once: hand it out another way than the file.")
    private @Nullable Path readerPassphrases;

    @Option(
            names = "--lapsed",
            description = "With --again: also to readers who had no key for the present epoch, nor for the one before.")
    private boolean lapsed;

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
        if (search && attributes == null) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "--search goes with --attributes; --again gives searcher's keys to those who had them");
        }
        if (again ? readerPassphraseFile != null : lapsed || readerPassphrases != null) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    again
                            ? "--again: one passphrase would open the files of all readers; each gets its own, drawn and printed here, or from --reader-passphrases"
                            : "--lapsed and --reader-passphrases go with --again");
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
        ReaderFiles files = new ReaderFiles(terminal, folder, passphraseCost.cost());
        if (again) {
            again(keys, epochNames, files);
        } else {
            byte[] passphrase = new Passphrases(
                            terminal,
                            readerPassphraseFile,
                            ReaderKeyOptions.VARIABLE,
                            ReaderKeyOptions.PASSPHRASE_FILE,
                            "passphrase of the reader's key")
                    .chosen();
            try {
                requireReach(keys, epochNames);
                files.add(String.valueOf(reader), label(), search, epochNames, output, passphrase);
            } finally {
                Arrays.fill(passphrase, (byte) 0);
            }
        }
        files.handOut(List.of());
        return ExitCode.OK;
    }

    /** Somebody who asks for a searcher's key does not want a file without one. */
    private void requireReach(TenantKeys keys, List<String> epochNames) throws Exception {
        if (!search
                || !(label() instanceof Label.OfAttributes of)
                || keys.searchedIndexKeys().isEmpty()) {
            return; // without an index policy, issuing says what to do
        }
        SearchReach reach = keys.reach(Optional.of(of.attributes()), epochNames);
        if (reach.gaps().size() == keys.searchedIndexKeys().size()
                && reach.gaps().stream().allMatch(gap -> gap.epochs().size() == epochNames.size())) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    Printable.of("--search: these attributes satisfy no index policy: "
                            + reach.gaps().getFirst()));
        }
    }

    private void again(TenantKeys keys, List<String> epochNames, ReaderFiles files) throws Exception {
        Map<String, Label> readers = keys.readers();
        Set<String> left = lapsed
                ? Set.of()
                : keys.lapsedReaders(epochNames, terminal.clock().instant());
        readers.keySet().removeAll(left);
        for (String holder : left) {
            String last = keys.issuedTo(holder).orElseThrow().epochs().last();
            terminal.err()
                    .println("not issued again: " + Printable.of(holder) + ", whose last key is of " + last
                            + "; issue it alone, or all with --lapsed");
        }
        if (readers.isEmpty()) {
            throw new CommandFailure(
                    ExitCode.NO_MATCH,
                    left.isEmpty() ? "no reader was issued a key yet" : "no reader has keys of late");
        }
        for (Map.Entry<String, Label> each : readers.entrySet()) {
            files.addOneOf(each.getKey(), each.getValue(), epochNames, output, readerPassphrases);
        }
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
