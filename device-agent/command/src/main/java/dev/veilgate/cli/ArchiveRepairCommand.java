package dev.veilgate.cli;

import dev.veilgate.archive.Archive;
import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.sse.segments.SegmentArchive;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Goes on with an archive of which objects are damaged. */
@Command(
        name = "repair",
        header = "Go on with an archive of which objects are missing, altered or unreadable",
        description = {
            "  One damaged object ends each search, for nobody knows what is in it. If it is missing or altered and",
            "  there is a copy of the folder, put the named files back from it: they are right wherever they come",
            "  from. If there is none, or an object is what was put there and cannot be read, --drop goes on without",
            "  them, for all devices; then add the documents again, and those that are there are passed over. Without",
            "  --drop it only says what would be lost.",
        },
        footer = {"  veilgate archive repair mails", "  veilgate archive repair --drop mails"})
final class ArchiveRepairCommand extends OpenArchiveCommand {
    @Option(names = "--drop", description = "Go on without the objects that are damaged.")
    private boolean drop;

    ArchiveRepairCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(Archive archive) throws Exception {
        SegmentFolder segments = ArchiveCompactCommand.segments(archive);
        List<SegmentArchive.Lost> lost = drop ? segments.dropDamaged() : segments.damaged();
        if (lost.isEmpty()) {
            terminal.out().println("no object is damaged");
            return ExitCode.OK;
        }
        lost.forEach(
                each -> terminal.out().printf("%s: %,d documents%n", Printable.of(each.fault()), each.documents()));
        long documents = lost.stream().mapToLong(SegmentArchive.Lost::documents).sum();
        terminal.out()
                .printf(
                        drop
                                ? "the archive goes on without %,d documents: add them again%n"
                                : "%,d documents are in them: put the files back from a copy of the folder, or go on"
                                        + " without them by repair --drop%n",
                        documents);
        return drop ? ExitCode.OK : ExitCode.REFUSED;
    }
}
