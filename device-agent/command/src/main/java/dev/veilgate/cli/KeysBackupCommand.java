package dev.veilgate.cli;

import dev.veilgate.authority.KeyBackup;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.peks.FileTrapdoorStore;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Backs the key folder up. */
@Command(
        name = "backup",
        header = "Back the key folder up under shares, of which some together restore it",
        description = {
            "  Writes keys, issued trapdoors and issuing log into one encrypted file, and the shares of its key into a file each. Any 3 of",
            "  3-of-5 restore it, without the passphrase; fewer can do nothing. Print the shares, or copy each to another",
            "  person's medium, and delete them here; the backup itself can be kept anywhere.",
        },
        footer = {
            "  veilgate keys backup --shares 3-of-5 -o backup-2026-11",
            "  lpr backup-2026-11/share-1.txt && shred -u backup-2026-11/share-1.txt",
        })
final class KeysBackupCommand extends AuthorityCommand {
    static final String FILE = "keys.vgbackup";

    @Option(
            names = "--shares",
            required = true,
            paramLabel = "T-of-N",
            description = "How many shares restore, of how many: 2-of-2 to 16-of-16.")
    private String shares = "";

    @Option(
            names = "-o",
            required = true,
            paramLabel = "DIR",
            description = "A new folder for the backup and its shares.")
    private Path output = Path.of("");

    private ShareCount count = new ShareCount(0, 0);

    KeysBackupCommand(Terminal terminal) {
        super(terminal, KeyFolder.Access.CHANGE);
    }

    @Override
    void checkArguments() throws CommandFailure {
        count = ShareCount.parse(shares);
        if (Files.exists(output)) {
            throw new CommandFailure(ExitCode.IO, output + " exists already; name a new folder");
        }
    }

    @Override
    int run(KeyFolder folder) throws Exception {
        try (FileTrapdoorStore store = KeyFolderOptions.trapdoors(folder)) {
            CommandLog.append(
                    terminal, folder, CommandLog.done(EntryKind.BACKUP, "made", count + " shares restore it"));
            DurableFiles.createFolder(output);
            KeyBackup backup = KeyBackup.create(
                    folder,
                    store,
                    output.resolve(FILE),
                    count.threshold(),
                    count.count(),
                    new SecureRandom(),
                    terminal.clock().instant());
            ShareCount.write(output, backup.shares(), share -> share.text(backup.tenant()));
        }
        terminal.out().println(output.resolve(FILE) + ": restored by any " + count + " shares");
        terminal.err()
                .println("the shares are in " + output + ": give each to another person and delete it here, or whoever"
                        + " takes the folder has the keys");
        return ExitCode.OK;
    }
}
