package dev.veilgate.cli;

import dev.veilgate.archive.Archive;
import dev.veilgate.archive.SegmentFolder;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import dev.veilgate.terminal.Printable;
import dev.veilgate.terminal.Terminal;
import java.io.IOException;
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
            "  With --rekey, after a key may have leaked, all documents are written anew under a new key, which is",
            "  put in the place of the one of this device; it needs as much room again as the archive has. Back the",
            "  new key up at once, and restore it on the other devices: the old key, and backups of it, open nothing",
            "  that comes. Who had the old key can still read copies that were made before, and what is in the trash:",
            "  add --purge. If it was cut off, the same command goes on.",
        },
        footer = {
            "  veilgate archive compact mails",
            "  veilgate archive compact --purge mails",
            "  veilgate archive compact --rekey --purge mails",
        })
final class ArchiveCompactCommand extends OpenArchiveCommand {
    @Option(names = "--purge", description = "Remove the objects of before at once.")
    private boolean purge;

    @Option(names = "--rekey", description = "Write all anew under a new key.")
    private boolean rekey;

    ArchiveCompactCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(Archive archive) throws Exception {
        SegmentFolder segments = segments(archive);
        SegmentFolder.Sizes before = segments.sizes();
        if (rekey) {
            rekey(segments);
        } else {
            segments.compact();
        }
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

    private void rekey(SegmentFolder segments) throws IOException {
        int epoch = segments.rekey();
        terminal.out()
                .printf(
                        "the archive has a new key, number %d; it is %s%n",
                        epoch,
                        Printable.of(SegmentFolder.keyFile(ThisDevice.places(terminal), segments.id())
                                .toString()));
        terminal.err()
                .println("note: back the new key up now, and restore it on other devices: backups of the old one open"
                        + " the archive no more (veilgate archive key)");
        if (!purge) {
            terminal.err()
                    .println(
                            "note: who has the old key can read the objects of before, which are in the trash for seven"
                                    + " days; --purge removes them at once. Copies that somebody made stay readable to"
                                    + " them");
        }
    }

    static SegmentFolder segments(Archive archive) throws CommandFailure {
        if (archive instanceof SegmentFolder segments) {
            return segments;
        }
        throw new CommandFailure(
                ExitCode.USAGE, "only archives of the scheme segments have this; it is of " + archive.schemeName());
    }
}
