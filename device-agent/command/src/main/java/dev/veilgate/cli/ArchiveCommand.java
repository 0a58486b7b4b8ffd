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
            "  An archive is a folder. What a server would have of it is server.mv; the key, and the sealed",
            "  names and words of documents, are beside it. Which questions it answers and what its server",
            "  learns depends on the scheme: veilgate archive schemes. Nothing of the documents but names and",
            "  words is kept. Back up the whole folder: without archive.key nothing is found.",
        },
        footer = {
            "  veilgate archive schemes",
            "  veilgate archive create --scheme suise --set prefixes=1 mails",
            "  veilgate archive add mails ~/Maildir notes.txt customers.csv",
            "  veilgate archive search mails 'subject:owl from:ada'",
            "  veilgate archive delete mails ~/notes.txt",
            "  veilgate archive stats mails",
        },
        subcommands = {
            ArchiveSchemesCommand.class,
            ArchiveCreateCommand.class,
            ArchiveAddCommand.class,
            ArchiveSearchCommand.class,
            ArchiveDeleteCommand.class,
            ArchiveStatsCommand.class
        })
final class ArchiveCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "say what to do with an archive: schemes, create, add, search, delete, stats");
    }
}
