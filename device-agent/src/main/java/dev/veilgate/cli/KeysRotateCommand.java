package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.security.SecureRandom;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes new keys beside the old ones. */
@Command(
        name = "rotate",
        header = "Make new keys; what was sealed under the old ones is still searched and opened",
        description = {
            "  Without options a new key of each kind is made. Senders use them when they get the next bundle; until the old",
            "  keys' envelopes have gone, a search takes a trapdoor for each key.",
        },
        footer = {"  veilgate keys rotate", "  veilgate keys rotate --index"})
final class KeysRotateCommand extends AuthorityCommand {
    @Option(names = "--index", description = "Only the key that keywords are sealed under.")
    private boolean index;

    @Option(names = "--wrap", description = "Only the key that contents are sealed for.")
    private boolean wrap;

    @Option(
            names = "--lost-trapdoors",
            description =
                    "The folder of issued trapdoors is lost, also in every backup: forget all index keys and make a new one. What was sealed"
                            + " before can then be opened, but never searched.")
    private boolean lost;

    KeysRotateCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.CHANGE);
    }

    @Override
    void checkArguments() throws CommandFailure {
        if (lost && (index || wrap)) {
            throw new CommandFailure(ExitCode.USAGE, "--lost-trapdoors stands alone");
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        SecureRandom random = new SecureRandom();
        Instant now = terminal.clock().instant();
        try {
            if (lost) {
                folder.replaceIndexKeysAfterLoss(random, now);
            } else {
                if (index || !wrap) {
                    folder.keys().rotateIndexKey(random, now);
                }
                if (wrap || !index) {
                    folder.keys().rotateWrapKey(random, now);
                }
                folder.save();
            }
        } catch (IllegalStateException e) {
            throw new CommandFailure(ExitCode.KEY, String.valueOf(e.getMessage()), e);
        }
        folder.keys().keys().stream()
                .filter(key -> key.current())
                .forEach(key -> terminal.out().println("current " + key.kind() + " key " + key.id()));
        terminal.out().println("now make a bundle with the new keys: veilgate keys bundle");
        return ExitCode.OK;
    }
}
