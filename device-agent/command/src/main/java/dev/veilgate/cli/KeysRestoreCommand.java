package dev.veilgate.cli;

import dev.veilgate.authority.KeyBackup;
import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyShare;
import dev.veilgate.issuing.EntryKind;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Restores a key folder. */
@Command(
        name = "restore",
        header = "Restore the key folder from a backup and enough of its shares",
        description = {
            "  Makes a new key folder under a new passphrase, which is asked for twice. A share is a file with the four numbered lines",
            "  of its print; small letters will do, and each line has a check. With more shares than are needed, altered ones are",
            "  named and passed over. Trapdoors that were issued after the backup are not in it: never issue from the",
            "  old folder again, nor from two copies.",
        },
        footer = {
            "  veilgate keys restore keys.vgbackup --share share-1.txt --share share-4.txt --share share-5.txt --keys /srv/keys",
        })
final class KeysRestoreCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "BACKUP", description = "The file of veilgate keys backup.")
    private Path backup = Path.of("");

    @Option(
            names = "--share",
            required = true,
            paramLabel = "FILE",
            description = "A share; give as many as the backup needs, or more.")
    private List<Path> shareFiles = new ArrayList<>();

    @Mixin
    private PassphraseCostOptions passphraseCost = new PassphraseCostOptions();

    @Mixin
    private KeyFolderOptions keyFolder = new KeyFolderOptions();

    KeysRestoreCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Path folder = keyFolder.folder(terminal);
        if (Files.exists(folder)) {
            throw new CommandFailure(ExitCode.KEY, folder + " exists already; name a new folder with --keys");
        }
        List<KeyShare> shares = new ArrayList<>();
        byte[] passphrase = new byte[0];
        try {
            for (Path file : shareFiles) {
                shares.add(ShareFile.read(file));
            }
            passphrase = keyFolder.passphrases(terminal).chosen();
            KeyBackup.Restored restored =
                    KeyBackup.restore(backup, shares, folder, passphrase, passphraseCost.cost(), new SecureRandom());
            restored.wrongShares().forEach(index -> terminal.err().println("warning: share " + index + " was altered"));
            terminal.out()
                    .println("keys of " + Printable.of(restored.tenant()) + " as they were at " + restored.created()
                            + " are in " + folder);
            log(folder, passphrase, restored);
            return ExitCode.OK;
        } catch (KeyFileException e) {
            throw KeyFolderOptions.failure(e);
        } finally {
            Arrays.fill(passphrase, (byte) 0);
            shares.forEach(KeyShare::close);
        }
    }

    /** If the backup has a log, it goes on with this. */
    private void log(Path folder, byte[] passphrase, KeyBackup.Restored restored) throws Exception {
        try (KeyFolder opened = KeyFolder.open(folder, passphrase, KeyFolder.Access.CHANGE, new SecureRandom())) {
            CommandLog.append(
                    terminal,
                    opened,
                    CommandLog.done(EntryKind.BACKUP, "restored", "from the backup of " + restored.created()));
        } catch (CommandFailure e) {
            throw new CommandFailure(
                    e.exitCode(), "the keys are restored, but their issuing log cannot go on: " + e.getMessage(), e);
        }
    }
}
