package dev.veilgate.cli;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.envelope.ReaderKey;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a reader's file from another, without the authority. */
@Command(
        name = "delegate",
        header = "Make a reader's file for some of the attributes of one's own, without the authority",
        description = {
            "  Reads a reader's file and writes another, for some of its attributes and epochs, sealed by a passphrase of its own. Who gets",
            "  it opens what those attributes open; all commands take it as one that the authority issued, and it can delegate, too.",
            "  Keys of cp-bsw07 can be delegated, those of the other schemes cannot. The authority does not learn of it, and takes the",
            "  attributes from both at once: by the end of the epoch, or by veilgate keys revoke.",
        },
        footer = {
            "  veilgate keys delegate ada.vgr --attributes 'role:auditor' -o assistant.vgr",
            "  veilgate keys delegate ada.vgr --attributes 'role:auditor' --epoch 2026-11 --to bob -o bob.vgr",
            "  veilgate open --reader-key assistant.vgr day.vge",
        })
final class KeysDelegateCommand implements Callable<Integer> {
    /** The environment's variable with the new passphrase. */
    static final String VARIABLE = "VEILGATE_NEW_READER_PASSPHRASE";

    private static final String NEW_PASSPHRASE_FILE = "--new-passphrase-file";

    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "The reader's file that is there, of veilgate keys issue.")
    private Path file = Path.of("");

    @Option(
            names = "--attributes",
            required = true,
            paramLabel = "ATTRIBUTES",
            description = "Those that are handed on: 'role:auditor, clearance = 5'. The file must have all of them.")
    private String attributes = "";

    @Option(
            names = "--epoch",
            paramLabel = "EPOCHS",
            description = "Epochs of the file: one, a list 2026-11,2026-12, a range 2026-11..2027-01; otherwise all.")
    private @Nullable String epochs;

    @Option(names = "--to", paramLabel = "NAME", description = "Who gets it; otherwise it says whose delegate it is.")
    private @Nullable String to;

    @Option(names = "-o", required = true, paramLabel = "FILE", description = "The file to write.")
    private Path output = Path.of("");

    @Option(
            names = ReaderKeyOptions.PASSPHRASE_FILE,
            paramLabel = "FILE",
            description =
                    "Take the passphrase of the file that is there from the first line of a file. Otherwise VEILGATE_READER_PASSPHRASE is"
                            + " used, or a terminal is asked.")
    private @Nullable Path passphraseFile;

    @Option(
            names = NEW_PASSPHRASE_FILE,
            paramLabel = "FILE",
            description =
                    "Take the passphrase of the new file from the first line of a file. Otherwise VEILGATE_NEW_READER_PASSPHRASE is used, or"
                            + " a terminal is asked.")
    private @Nullable Path newPassphraseFile;

    @Mixin
    private PassphraseCostOptions passphraseCost = new PassphraseCostOptions();

    KeysDelegateCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        AttributeSet wanted = wanted();
        EpochChoice choice = EpochChoice.parse(epochs);
        passphraseCost.cost();
        if (Files.exists(output) && Files.exists(file) && Files.isSameFile(file, output)) {
            throw new CommandFailure(ExitCode.USAGE, "-o: must be another file than the one that is read");
        }
        byte[] present = new Passphrases(
                        terminal,
                        passphraseFile,
                        ReaderKeyOptions.VARIABLE,
                        ReaderKeyOptions.PASSPHRASE_FILE,
                        "passphrase of " + file)
                .existing();
        try {
            List<ReaderKey> held = ReaderKeyOptions.read(file, present);
            try {
                delegate(held, wanted, choice, present);
            } finally {
                held.forEach(ReaderKey::close);
            }
        } finally {
            Arrays.fill(present, (byte) 0);
        }
        return ExitCode.OK;
    }

    private AttributeSet wanted() throws CommandFailure {
        try {
            return AttributeSet.parse(attributes);
        } catch (PolicySyntaxException e) {
            throw new CommandFailure(ExitCode.USAGE, "--attributes: " + e.getMessage(), e);
        }
    }

    private void delegate(List<ReaderKey> held, AttributeSet wanted, EpochChoice choice, byte[] present)
            throws IOException, CommandFailure {
        choice.requireIn(held);
        SecureRandom random = new SecureRandom();
        String holder = to != null ? to : "delegate of " + held.getFirst().holder();
        Delegation delegation = new Delegation(held, wanted, choice);
        List<ReaderKey> made = delegation.keysFor(holder, random);
        try {
            if (choice.isGiven() && !delegation.lacking().isEmpty()) {
                throw new CommandFailure(
                        ExitCode.USAGE,
                        "--epoch: the file has not all of " + Printable.of(wanted.toString()) + " in "
                                + Printable.of(String.join(", ", delegation.lacking())));
            }
            write(made, present, random);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        } finally {
            made.forEach(ReaderKey::close);
        }
        if (!delegation.lacking().isEmpty()) {
            terminal.err()
                    .println("note: the file has not all of these attributes in "
                            + Printable.of(String.join(", ", delegation.lacking())) + ", which was left out");
        }
        String where = String.join(", ", delegation.epochs());
        terminal.out()
                .println(output + ": " + Printable.of(holder + ", " + wanted + (where.isEmpty() ? "" : ", " + where)));
    }

    private void write(List<ReaderKey> made, byte[] present, SecureRandom random) throws IOException, CommandFailure {
        byte[] chosen = new Passphrases(
                        terminal, newPassphraseFile, VARIABLE, NEW_PASSPHRASE_FILE, "passphrase of " + output)
                .chosen();
        try {
            if (MessageDigest.isEqual(chosen, present)) {
                throw new CommandFailure(
                        ExitCode.KEY,
                        "the new file needs a passphrase of its own: who gets it could open " + file
                                + " with this one");
            }
            ReaderKeyFile.write(output, made, chosen, passphraseCost.cost(), random);
        } finally {
            Arrays.fill(chosen, (byte) 0);
        }
    }
}
