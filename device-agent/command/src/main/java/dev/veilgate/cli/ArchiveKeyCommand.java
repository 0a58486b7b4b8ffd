package dev.veilgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The key of an archive. */
@Command(
        name = "key",
        header = "Back up the key of an archive, and restore it, on another device too",
        description = {
            "  The key is on this device and not in the archive's folder. Without it nothing is found: back it up. A",
            "  backup is also the way to another device: make one by a passphrase, take the file there, restore it.",
        },
        footer = {
            "  veilgate archive key backup mails mails.vgbackup              # by a passphrase",
            "  veilgate archive key backup --shares 3-of-5 mails mails-key   # or under shares",
            "  veilgate archive key restore mails mails.vgbackup",
        },
        subcommands = {ArchiveKeyBackupCommand.class, ArchiveKeyRestoreCommand.class})
final class ArchiveKeyCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "say what to do with the archive's key: backup, restore");
    }
}
