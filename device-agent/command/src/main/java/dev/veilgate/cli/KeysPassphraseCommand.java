package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Changes the passphrase. */
@Command(
        name = "passphrase",
        header = "Change the passphrase",
        description = {
            "  Asks for the present passphrase, then twice for the new one. Backups still open with the passphrase of their time."
        },
        footer = "  veilgate keys passphrase")
final class KeysPassphraseCommand extends AuthorityCommand {
    private static final String OPTION = "--new-passphrase-file";

    @Option(names = OPTION, paramLabel = "FILE", description = "Take the new passphrase from the first line of a file.")
    private @Nullable Path newFile;

    @Mixin
    private PassphraseCostOptions passphraseCost = new PassphraseCostOptions();

    KeysPassphraseCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.CHANGE);
    }

    @Override
    void checkArguments() throws CommandFailure {
        passphraseCost.cost();
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        // of the environment's variable only the present one can come
        Terminal withoutVariable = new Terminal(
                terminal.in(),
                terminal.out(),
                terminal.err(),
                java.util.Map.of(),
                terminal.clock(),
                terminal.outIsTerminal(),
                terminal.errIsTerminal(),
                terminal.prompt());
        byte[] chosen = new Passphrases(withoutVariable, newFile, "", OPTION, "passphrase").chosen();
        try {
            CommandLog.append(
                    terminal,
                    folder,
                    CommandLog.done(
                            EntryKind.KEY_CHANGE, "passphrase", folder.keys().tenant()));
            folder.changePassphrase(chosen, passphraseCost.cost());
        } finally {
            Arrays.fill(chosen, (byte) 0);
        }
        return ExitCode.OK;
    }
}
