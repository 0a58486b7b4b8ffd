package dev.veilgate.cli;

import dev.veilgate.archive.Archive;
import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import picocli.CommandLine.Command;

/** Merges what an archive has. */
@Command(
        name = "compact",
        header = "Merge an archive's segments into one, without what is deleted",
        description = {
            "  Adding and deleting merge what is worth it by themselves. This merges all, up to 2 GiB a segment,",
            "  so that a search reads less, and words of deleted documents are in no object that counts. The",
            "  former objects stay in the folder's trash for seven days, for those who are reading them. Other",
            "  processes and devices may go on meanwhile.",
        },
        footer = {"  veilgate archive compact mails"})
final class ArchiveCompactCommand extends OpenArchiveCommand {
    ArchiveCompactCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(Archive archive) throws Exception {
        SegmentFolder segments = segments(archive);
        SegmentFolder.Sizes before = segments.sizes();
        segments.compact();
        SegmentFolder.Sizes after = segments.sizes();
        terminal.out()
                .printf(
                        "%,d segments of %,d bytes became %,d of %,d bytes%n",
                        before.segments(), before.bytes(), after.segments(), after.bytes());
        return ExitCode.OK;
    }

    static SegmentFolder segments(Archive archive) throws CommandFailure {
        if (archive instanceof SegmentFolder segments) {
            return segments;
        }
        throw new CommandFailure(
                ExitCode.USAGE, "only archives of the scheme segments have this; it is of " + archive.schemeName());
    }
}
