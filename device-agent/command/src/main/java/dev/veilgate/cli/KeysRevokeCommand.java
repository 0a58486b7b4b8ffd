package dev.veilgate.cli;

import dev.veilgate.abe.Label;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.IssuedKeys;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.authority.TenantKeys.KeyInfo;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.issuing.LogDraft;
import dev.veilgate.peks.KeyId;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shuts a reader out in the middle of an epoch. */
@Command(
        name = "revoke",
        header = "Shut a reader out now: rotate, issue again to all who stay, and say what is left",
        description = {
            "  For a reader's key that is in wrong hands. Makes a new pair of each scheme in use to seal with for policies, removes the",
            "  reader, and issues keys of the new pairs to all others for the epochs from the present one on that they had, a file for each",
            "  under a passphrase of its own. Senders seal under the new pairs when they have the next bundle: make and hand it out at once.",
            "  Of a reader with searcher's keys, the index key that is searched by attributes is made anew, too, for the same policy.",
            "  A key cannot be called back: what was sealed under the old pairs stays readable to who has it, and is printed.",
        },
        footer = {"  veilgate keys revoke eve -o readers-new/ && veilgate keys bundle -o acme.vgb"})
final class KeysRevokeCommand extends AuthorityCommand {
    @Parameters(paramLabel = "READER", description = "Who is shut out; may have been removed before.")
    private String reader = "";

    @Option(
            names = "-o",
            required = true,
            paramLabel = "DIR",
            description = "The folder for the files of those who stay, made if it is not there.")
    private Path output = Path.of("");

    @Option(
            names = "--reader-passphrases",
            paramLabel = "DIR",
            description =
                    "Take each reader's passphrase from the first line of NAME.txt in a folder. Otherwise one is drawn for each and printed"
                            + " once: hand it out another way than the file.")
    private @Nullable Path readerPassphrases;

    @Mixin
    private PassphraseCostOptions passphraseCost = new PassphraseCostOptions();

    KeysRevokeCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.CHANGE);
    }

    @Override
    void checkArguments() throws CommandFailure {
        passphraseCost.cost();
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        TenantKeys keys = folder.keys();
        Instant now = terminal.clock().instant();
        Optional<IssuedKeys> had = keys.issuedTo(reader);
        if (!keys.removeReader(reader) && had.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "there is no such reader; veilgate keys show lists them");
        }
        Set<KeyId> searchedUnder = searchedUnder(keys, had);
        boolean searched = keys.keys().stream()
                .anyMatch(key -> key.current() && searchedUnder.contains(key.id())); // else senders seal under others
        try {
            keys.rotatePolicyKey(new SecureRandom(), now);
            if (searched) {
                keys.rotateSearchersIndexKey(new SecureRandom(), now);
            }
        } catch (IllegalStateException e) {
            throw new CommandFailure(ExitCode.KEY, String.valueOf(e.getMessage()), e);
        }
        ReaderFiles files = new ReaderFiles(terminal, folder, passphraseCost.cost());
        int staying = stay(keys, now, files);
        LogDraft revoked = CommandLog.done(EntryKind.ATTRIBUTE_KEY_REVOKED, "revoked", reader);
        LogDraft rotated = CommandLog.done(EntryKind.KEY_CHANGE, "rotated", searched ? "index policy" : "policy");
        files.handOut(List.of(revoked, rotated));
        say(keys, had, staying);
        return ExitCode.OK;
    }

    /** The index keys that are there, under which it was issued searcher's keys. */
    private static Set<KeyId> searchedUnder(TenantKeys keys, Optional<IssuedKeys> had)
            throws MalformedEncodingException {
        Set<KeyId> searched = new LinkedHashSet<>(keys.searchedIndexKeys().keySet());
        searched.retainAll(had.map(IssuedKeys::indexKeys).orElse(Set.of()));
        return searched;
    }

    /** To those whose keys have not lapsed; how many they are. */
    private int stay(TenantKeys keys, Instant now, ReaderFiles files) throws Exception {
        EpochPolicy epochs = keys.epochs();
        String present = epochs.at(now).name();
        Instant since = epochs.at(now).from();
        int staying = 0;
        for (Map.Entry<String, Label> each : keys.readers().entrySet()) {
            Set<String> its = keys.issuedTo(each.getKey())
                    .map(IssuedKeys::epochs)
                    .map(all -> all.stream()
                            .filter(name -> !epochs.named(name).from().isBefore(since))
                            .collect(Collectors.toCollection(TreeSet::new)))
                    .orElseGet(() -> new TreeSet<>(Set.of(present)));
            if (its.isEmpty()) {
                terminal.err().println("not issued again: " + Printable.of(each.getKey()) + ", whose keys have lapsed");
                continue;
            }
            files.addOneOf(each.getKey(), each.getValue(), List.copyOf(its), output, readerPassphrases);
            staying++;
        }
        return staying;
    }

    private void say(TenantKeys keys, Optional<IssuedKeys> had, int staying) throws MalformedEncodingException {
        String name = Printable.of(reader);
        String epochs =
                had.map(its -> String.join(", ", its.epochs())).orElse("the epochs that it was issued keys for");
        Set<KeyId> pairs = had.map(IssuedKeys::pairs).orElse(Set.of());
        String old = keys.keys().stream()
                .filter(key -> key.kind().equals("policy") && !key.current())
                .filter(key -> pairs.isEmpty() || pairs.contains(key.id()))
                .map(key -> key.id().toString())
                .collect(Collectors.joining(", "));
        terminal.out().println("revoked " + name + "; " + staying + " readers were issued keys of the new pairs:");
        keys.keys().stream()
                .filter(key -> key.kind().equals("policy"))
                .filter(KeyInfo::current)
                .forEach(key -> terminal.out().println("  " + key.id() + "  " + key.parameters()));
        terminal.out()
                .println(name
                        + " can still open what its attributes open of what was, and until each sender has the next bundle will be, sealed in "
                        + epochs + " under " + old);
        Set<KeyId> searched = searchedUnder(keys, had);
        if (!searched.isEmpty()) {
            terminal.out()
                    .println(name + " can still make trapdoors of every keyword for what is sealed so under "
                            + searched.stream().map(KeyId::toString).collect(Collectors.joining(", "))
                            + "; a gateway answers it as long as it has a token there: take that away, too");
        }
        terminal.out()
                .println(
                        "now: veilgate keys bundle, and see that every sender has it; readers keep their old files for what was sealed before");
    }
}
