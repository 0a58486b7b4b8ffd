package dev.veilgate.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** An archive in a folder that its owner searches. */
@Command(
        name = "archive",
        header = "Keep mails, text files and tables in an archive that its owner alone can search",
        description = {
            "  An archive is a folder, which may be on a share: an index of the words and names of documents,",
            "  sealed under a key that is on this device and not in the folder. The documents themselves are not",
            "  in it. Several processes and devices may use it at once. Besides the usual scheme there are those",
            "  of the papers, which have both sides of a protocol in one folder: veilgate archive schemes.",
        },
        footer = {
            "  veilgate archive create mails",
            "  veilgate archive add mails ~/Maildir notes.txt customers.csv",
            "  veilgate archive search mails 'subject:owl from:ada'",
            "  veilgate archive delete mails ~/notes.txt",
            "  veilgate archive stats mails",
            "  veilgate archive key backup mails mails.vgbackup",
        },
        subcommands = {
            ArchiveSchemesCommand.class,
            ArchiveCreateCommand.class,
            ArchiveAddCommand.class,
            ArchiveSearchCommand.class,
            ArchiveDeleteCommand.class,
            ArchiveStatsCommand.class,
            ArchiveCompactCommand.class,
            ArchiveVerifyCommand.class,
            ArchiveRepairCommand.class,
            ArchiveAcceptCommand.class,
            ArchiveKeyCommand.class
        })
final class ArchiveCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "say what to do with an archive: create, add, search, delete, stats, compact, verify, repair, accept,"
                        + " key, schemes");
    }
}
