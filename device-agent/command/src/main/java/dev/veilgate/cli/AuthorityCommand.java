package dev.veilgate.cli;

import dev.veilgate.authority.KeyFolder;
import dev.veilgate.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A command that opens the key folder, works, and closes it whatever happens. */
abstract sealed class AuthorityCommand implements Callable<Integer>
        permits KeysBundleCommand,
                KeysShowCommand,
                KeysCheckCommand,
                KeysRotateCommand,
                KeysIssueCommand,
                KeysRevokeCommand,
                KeysPassphraseCommand,
                KeysLogCommand,
                KeysBackupCommand,
                MailSignerShowCommand,
                MailSignerExportCommand,
                MailEnrolCommand,
                MailEnrolledCommand,
                KeysChange,
                OpenCommand,
                TrapdoorCommand,
                SearchCommand,
                RouteAddCommand,
                RouteRenewCommand,
                TemplatesCommand {
    final Terminal terminal;
    private final KeyFolder.Access access;

    @Mixin
    private KeyFolderOptions keyFolder = new KeyFolderOptions();

    AuthorityCommand(Terminal terminal, KeyFolder.Access access) {
        this.terminal = terminal;
        this.access = access;
    }

    /** The work; the exit code. */
    abstract int run(KeyFolder folder) throws Exception;

    @Override
    public final Integer call() throws Exception {
        checkArguments();
        if (!needsKeyFolder()) {
            return runAsReader();
        }
        try (KeyFolder folder = keyFolder.open(terminal, access)) {
            return run(folder);
        }
    }

    /** Whether a reader's key and the public bundle are not enough. */
    boolean needsKeyFolder() throws Exception {
        return true;
    }

    /** The work with a reader's key. */
    int runAsReader() throws Exception {
        throw new IllegalStateException("the command is the authority's alone");
    }

    /** What can be refused before anybody types a passphrase. */
    void checkArguments() throws Exception {}

    final Passphrases passphrases() {
        return keyFolder.passphrases(terminal);
    }

    final java.nio.file.Path folderPath() {
        return keyFolder.folder(terminal);
    }
}
