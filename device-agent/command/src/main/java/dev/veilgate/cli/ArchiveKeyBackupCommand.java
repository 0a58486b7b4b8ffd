package dev.veilgate.cli;

import dev.veilgate.archive.DeviceKey;
import dev.veilgate.authority.SecretBackup;
import dev.veilgate.files.DurableFiles;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Backs up the key of an archive. */
@Command(
        name = "backup",
        header = "Back up the key of an archive: by a passphrase, or under shares",
        description = {
            "  By a passphrase, which is asked for twice, the backup is one file: as safe as the passphrase is hard to",
            "  guess. With --shares it is a folder with the backup, which can be kept anywhere, and the shares of its",
            "  key in a file each: any 3 of 3-of-5 restore it, fewer can do nothing. Print the shares, or copy each to",
            "  another person's medium, and delete them here. The archive itself is not in a backup of its key.",
        },
        footer = {
            "  veilgate archive key backup mails mails.vgbackup",
            "  veilgate archive key backup --shares 3-of-5 mails mails-key",
            "  lpr mails-key/share-1.txt && shred -u mails-key/share-1.txt",
        })
final class ArchiveKeyBackupCommand implements Callable<Integer> {
    /** The backup in a folder of shares. */
    static final String FILE = "key.vgbackup";

    private final Terminal terminal;

    @Option(
            names = "--shares",
            paramLabel = "T-of-N",
            description = "Make shares instead of asking for a passphrase: how many restore, of how many; 2-of-2 to"
                    + " 16-of-16.")
    private @Nullable String shares;

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = "Read the passphrase from the first line of FILE; else from the variable"
                    + " VEILGATE_PASSPHRASE, else it is asked for.")
    private @Nullable Path passphraseFile;

    @Mixin
    private PassphraseCostOptions passphraseCost = new PassphraseCostOptions();

    @Parameters(index = "0", paramLabel = "DIR", description = "The archive's folder.")
    private Path folder = Path.of("");

    @Parameters(
            index = "1",
            paramLabel = "TO",
            description = "A new file for the backup; with --shares a new folder. Not in the archive's folder.")
    private Path output = Path.of("");

    ArchiveKeyBackupCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        ShareCount count = shares == null ? null : ShareCount.parse(shares);
        if (count != null && passphraseFile != null) {
            throw new CommandFailure(ExitCode.USAGE, "give --passphrase-file or --shares: shares need no passphrase");
        }
        return ArchiveFailures.named(() -> {
            DeviceKey key = DeviceKey.of(folder, ThisDevice.places(terminal));
            requirePlace();
            byte[] secret = key.encode(); // before anybody is asked for a passphrase
            try {
                if (count == null) {
                    seal(key.of(), secret);
                } else {
                    share(key.of(), secret, count);
                }
                return ExitCode.OK;
            } finally {
                Arrays.fill(secret, (byte) 0);
            }
        });
    }

    private void requirePlace() throws IOException, CommandFailure {
        if (Files.exists(output)) {
            throw new CommandFailure(ExitCode.IO, output + " exists already; name a new file or folder");
        }
        Path parent = DurableFiles.folderOf(output.toAbsolutePath().normalize());
        if (!Files.isDirectory(parent)) {
            throw new CommandFailure(ExitCode.IO, parent + ": no such folder");
        }
        if (parent.toRealPath().startsWith(folder.toRealPath())) {
            throw new CommandFailure(
                    ExitCode.USAGE, output + " would be in the archive's folder; keep the backup at another place");
        }
    }

    private void seal(String what, byte[] secret) throws IOException, CommandFailure {
        SecureRandom random = new SecureRandom();
        byte[] passphrase = new Passphrases(terminal, passphraseFile).chosen();
        try {
            write(output.toAbsolutePath(), SecretBackup.seal(what, secret, passphrase, passphraseCost.cost(), random));
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
        terminal.out().println(Printable.of(output.toString()) + ": restored by its passphrase");
    }

    private void share(String what, byte[] secret, ShareCount count) throws IOException {
        DurableFiles.createFolder(output);
        try (SecretBackup.Shared shared = SecretBackup.share(
                what, secret, count.threshold(), count.count(), terminal.clock().instant(), new SecureRandom())) {
            write(output.resolve(FILE).toAbsolutePath(), shared.file());
            ShareCount.write(output, shared.shares(), shared::text);
        }
        terminal.out()
                .println(Printable.of(output.resolve(FILE).toString()) + ": restored by any " + count + " shares");
        terminal.err()
                .println("the shares are in " + Printable.of(output.toString())
                        + ": give each to another person and delete it here, or whoever takes the folder has the key");
    }

    private static void write(Path file, byte[] content) throws IOException {
        DurableFiles.replace(DurableFiles.folderOf(file), String.valueOf(file.getFileName()), null, content);
    }
}
