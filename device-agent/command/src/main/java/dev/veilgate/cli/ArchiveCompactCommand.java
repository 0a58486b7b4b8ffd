package dev.veilgate.cli;

import dev.veilgate.archive.Archive;
import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Merges what an archive has. */
@Command(
        name = "compact",
        header = "Merge an archive's segments into one, without what is deleted",
        description = {
            "  Adding and deleting merge what is worth it by themselves. This merges all, up to 2 GiB a segment,",
            "  so that a search reads less, and words of deleted documents are in no object that counts. The",
            "  former objects stay in the folder's trash for seven days, for those who are reading them. Other",
            "  processes and devices may go on meanwhile.",
            "  With --purge the former objects, and all in the trash, are removed at once: after it no object of",
            "  the folder has a word of what was deleted more than an hour before. A search of another process",
            "  that is under way may end with a missing object then, and can be done again.",
        },
        footer = {"  veilgate archive compact mails", "  veilgate archive compact --purge mails"})
final class ArchiveCompactCommand extends OpenArchiveCommand {
    @Option(names = "--purge", description = "Remove the objects of before at once.")
    private boolean purge;

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
        if (purge) {
            SegmentFolder.Purged purged = segments.purge();
            terminal.out().printf("%,d objects of before were removed%n", purged.removed());
            if (purged.young() > 0) {
                terminal.err()
                        .printf(
                                "note: %,d objects that no state names came within the last hour and are left, as"
                                        + " somebody may be adding them; purge again later%n",
                                purged.young());
            }
        }
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
