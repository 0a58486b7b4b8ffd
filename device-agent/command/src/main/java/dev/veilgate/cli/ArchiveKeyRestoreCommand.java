package dev.veilgate.cli;

import dev.veilgate.archive.DeviceKey;
import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyShare;
import dev.veilgate.authority.SecretBackup;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Restores the key of an archive. */
@Command(
        name = "restore",
        header = "Put the key of an archive into its place on this device, from a backup",
        description = {
            "  Give the backup, and of one under shares enough of these, in any order. A share is a file with the four",
            "  numbered lines of its print; small letters will do, and each line has a check. With more shares than",
            "  are needed, altered ones are named and passed over. The key is put in its place only if it is this",
            "  archive's; in the place of another one only if the archive has had a new key since that.",
        },
        footer = {
            "  veilgate archive key restore mails mails.vgbackup",
            "  veilgate archive key restore mails key.vgbackup share-1.txt share-4.txt share-5.txt",
        })
final class ArchiveKeyRestoreCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Option(
            names = "--passphrase-file",
            paramLabel = "FILE",
            description = "Read the passphrase from the first line of FILE; else from the variable"
                    + " VEILGATE_PASSPHRASE, else it is asked for.")
    private @Nullable Path passphraseFile;

    @Parameters(index = "0", paramLabel = "DIR", description = "The archive's folder.")
    private Path folder = Path.of("");

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "FILE",
            description = "The backup; of one under shares, these too, or the folder that has them all.")
    private List<Path> files = new ArrayList<>();

    private byte[] backup = {};
    private SecretBackup.Form form = SecretBackup.Form.NONE;

    ArchiveKeyRestoreCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        return ArchiveFailures.named(() -> {
            DeviceKey key = DeviceKey.of(folder, ThisDevice.places(terminal));
            List<KeyShare> shares = new ArrayList<>();
            byte[] secret = {};
            try {
                for (Path file : filesOf(files)) {
                    read(file, shares);
                }
                secret = form == SecretBackup.Form.SEALED ? open(key.of(), shares) : restore(key.of(), shares);
                boolean put = key.restore(secret);
                terminal.out()
                        .println("the key is " + (put ? "" : "there already, as ")
                                + Printable.of(key.file().toString()));
                return ExitCode.OK;
            } catch (KeyFileException e) {
                throw KeyFolderOptions.failure(e);
            } catch (MalformedEncodingException e) {
                throw new CommandFailure(ExitCode.REFUSED, String.valueOf(e.getMessage()), e);
            } finally {
                Arrays.fill(secret, (byte) 0);
                shares.forEach(KeyShare::close);
            }
        });
    }

    /** Files, and those in folders. */
    private static List<Path> filesOf(List<Path> named) throws IOException {
        List<Path> all = new ArrayList<>();
        for (Path path : named) {
            if (Files.isDirectory(path)) {
                try (Stream<Path> inside = Files.list(path)) {
                    inside.filter(Files::isRegularFile).sorted().forEach(all::add);
                }
            } else {
                all.add(path);
            }
        }
        return all;
    }

    /** Reads the backup, or a share. */
    private void read(Path file, List<KeyShare> shares) throws IOException, CommandFailure {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(ShareFile.MAX_BYTES);
        }
        SecretBackup.Form found = SecretBackup.form(bytes);
        if (found == SecretBackup.Form.NONE) {
            shares.add(ShareFile.parse(file, bytes));
        } else if (backup.length > 0) {
            throw new CommandFailure(ExitCode.USAGE, file + " is a second backup: give one");
        } else {
            backup = bytes;
            form = found;
        }
    }

    private byte[] open(String what, List<KeyShare> shares) throws Exception {
        if (!shares.isEmpty()) {
            throw new CommandFailure(ExitCode.USAGE, "the backup is sealed by a passphrase, and has no shares");
        }
        byte[] passphrase = new Passphrases(terminal, passphraseFile).existing();
        try {
            return SecretBackup.open(what, backup, passphrase);
        } catch (OutOfMemoryError e) {
            throw KeyFolderOptions.tooLittleMemory();
        } finally {
            Arrays.fill(passphrase, (byte) 0);
        }
    }

    private byte[] restore(String what, List<KeyShare> shares) throws Exception {
        if (form == SecretBackup.Form.NONE) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "these are shares only: give the backup too, which lay beside them as "
                            + ArchiveKeyBackupCommand.FILE);
        }
        SecretBackup.Restored restored = SecretBackup.restore(what, backup, shares);
        restored.wrongShares().forEach(index -> terminal.err().println("warning: share " + index + " was altered"));
        return restored.secret();
    }
}
