package dev.veilgate.agent.follow;

import dev.veilgate.agent.paths.FileNames;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that have a position: those that are followed, those that were read to their end, and those that had been
 * rotated away before the
 * first start. Of the last two nobody holds the inode, so it may have been given to another file: they are known by
 * their content as well.
 */
final class KnownFiles {
    private static final int SCANS_UNTIL_GONE = 3;
    /** An hour at least: as long as it may take to compress a file. */
    private static final int SCANS_UNTIL_FORGOTTEN = 18_000;

    private static final int MOST_GONE_A_LOG = 16;
    private static final int MOST_SETTLED = 1 << 14;
    /** Looks at a compressed file that does not grow and is not whole. */
    private static final int LOOKS_UNTIL_GIVEN_UP = 150;

    private final Positions positions;
    private final LogFiles files;
    private final Map<FileId, FileTime> verified = new HashMap<>();
    private final Set<FileId> unpacked = new LinkedHashSet<>();
    /** Compressed files of which nothing is to be read, as they were then. */
    private final Set<FileId.Status> settled = new LinkedHashSet<>();

    private final Set<FileId.Status> notWhole = new LinkedHashSet<>();
    /** Compressed files that cannot be read, and how often that was seen. */
    private final Map<FileId.Status, Integer> unfinished = new LinkedHashMap<>();

    private final Set<FileId> tooMany = new HashSet<>();
    /** Of the last run, and not taken up yet. */
    private final Set<FileId> waiting = new HashSet<>();
    /** Scans since a file was missed. */
    private final SequencedMap<FileId, Integer> missing = new LinkedHashMap<>();

    KnownFiles(Positions positions, LogFiles files) {
        this.positions = positions;
        this.files = files;
    }

    /**
     * Notes that a compressed file is read. Files are known by it from then on, since another may have the inode of
     * what was compressed.
     */
    void unpacked(FileId archive) {
        if (unpacked.size() >= MOST_SETTLED) {
            unpacked.stream().filter(this::isReadOrForgotten).findFirst().ifPresent(unpacked::remove);
        }
        unpacked.add(archive);
    }

    private boolean isReadOrForgotten(FileId id) {
        FilePosition position = positions.file(id);
        return position == null || position.done();
    }

    /** Whether a compressed file is or was read in this run. */
    boolean isUnpacked(FileId archive) {
        return unpacked.contains(archive);
    }

    /**
     * Notes that a file that was read to its end is in a compressed one: it is known by that from now on, unless it
     * is still there itself.
     */
    void compressed(FilePosition at, FileId archive) {
        if (at.done() && missing.containsKey(at.id())) {
            positions.remove(at.id());
            missing.remove(at.id());
            positions.put(at.in(archive));
        }
    }

    /**
     * Whether it was said before that there are too many compressed files, of which this is the newest; from now on
     * it is.
     */
    boolean isTooManySaid(FileId newest) {
        if (tooMany.size() >= MOST_SETTLED) {
            tooMany.clear();
        }
        return !tooMany.add(newest);
    }

    /** Takes back {@link #unpacked}: it could not be. */
    void forgetUnpacked(FileId archive) {
        unpacked.remove(archive);
    }

    /** Whether nothing is to be read of a compressed file, which has not changed since that was found. */
    boolean isSettled(FileId.Status archive) {
        if (settled.contains(archive)) {
            return true;
        }
        FilePosition position = positions.file(archive.id());
        return position != null && position.done() && !archive.id().isOfUnknownAge();
    }

    /** Notes that nothing is to be read of a compressed file. */
    void settle(FileId.Status archive) {
        if (settled.size() >= MOST_SETTLED) {
            settled.remove(settled.iterator().next());
        }
        settled.add(archive);
        unfinished.remove(archive);
    }

    /**
     * Notes that a compressed file is damaged, or not whole yet: as long as it does not change it is not opened
     * again.
     */
    void notWhole(FileId.Status archive) {
        if (notWhole.size() >= MOST_SETTLED) {
            notWhole.remove(notWhole.iterator().next());
        }
        notWhole.add(archive);
    }

    boolean isNotWhole(FileId.Status archive) {
        return notWhole.contains(archive);
    }

    /**
     * Counts a look at a compressed file that cannot be read, or not to its end. Whether it was so for long enough
     * that nobody will complete it: it is then reported.
     */
    boolean isGivenUp(Path path, FileId.Status archive, RecordSink sink) {
        int looks = unfinished.merge(archive, 1, Integer::sum);
        if (unfinished.size() > MOST_SETTLED) {
            unfinished.remove(unfinished.keySet().iterator().next());
        }
        if (looks < LOOKS_UNTIL_GIVEN_UP) {
            return false;
        }
        settle(archive);
        sink.lost("unreadable-file", FileNames.shown(path), 0, archive.size());
        return true;
    }

    /**
     * @throws IOException if its content could not be looked at: it was renamed since its name was looked at, or is
     * not ours to read
     */
    boolean isKnown(Path name, FileId.Status status) throws IOException {
        FilePosition position = positions.file(status.id());
        if (position == null) {
            return isOfAnotherDevice(name, status.id());
        }
        if (waiting.contains(status.id())) {
            return isAt(name, position); // nobody holds it yet, so another file may have its inode
        }
        if (!position.done() || status.modified().equals(verified.get(status.id()))) {
            return true;
        }
        if (isAt(name, position)) {
            verified.put(status.id(), status.modified());
            return true;
        }
        keepByContent(position); // another file has the inode now
        return false;
    }

    /**
     * Whether a file was known while its file system had another number, as it may get when the machine starts or it
     * is mounted again, or while nobody knew when it was made.
     */
    private boolean isOfAnotherDevice(Path name, FileId id) throws IOException {
        for (FilePosition position : positions.withInode(id.inode())) {
            boolean sameFolder = Objects.equals(
                    FileNames.path(position.path()).getParent(),
                    FileNames.path(FileNames.text(name)).getParent());
            boolean mayBe = sameFolder && position.offset() > 0 && position.id().mayBe(id);
            if (mayBe && isAt(name, position.in(id))) {
                if (position.done()) { // else somebody holds it open and ends it first
                    positions.remove(position.id());
                    positions.put(position.in(id));
                }
                return true;
            }
        }
        return false;
    }

    /** Notes the position of a file that is taken up later. */
    void expect(FilePosition position) {
        waiting.add(position.id());
    }

    /** Forgets the position of a file that is taken up now; one that another file with its inode has by now stays. */
    void takeUp(FilePosition position) {
        waiting.remove(position.id());
        if (position.equals(positions.file(position.id()))) {
            positions.remove(position.id());
        }
    }

    /** Whether a file that was read to its end has more now: its writer was late. */
    boolean hasGrown(Path name, FileId.Status status) throws IOException {
        FilePosition position = positions.file(status.id());
        return position != null
                && position.done()
                && status.size() > position.offset()
                && files.dataEnd(name, status, position.offset()) > position.offset();
    }

    /**
     * Where to go on in a file that was read to its end and has more now, under the name that it has: its folder was
     * away, its writer was late, or it was taken for another file's rotated
     * one. Null if it has no more.
     */
    @Nullable
    FilePosition toGoOn(Path name, FileId.Status status) throws IOException {
        FilePosition position = positions.file(status.id());
        return position != null && hasGrown(name, status) ? position.under(FileNames.text(name)) : null;
    }

    /** Whether a name is that of the file of a position, by its content. */
    boolean isSame(Path name, FilePosition at) {
        try {
            return at.offset() > 0 && isAt(name, at);
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isAt(Path name, FilePosition at) throws IOException {
        try (FileChannel channel = files.open(name, at.id())) {
            return channel.size() >= at.offset()
                    && at.head().isAt(channel, 0)
                    && at.tail().isAt(channel, at.offset() - at.tail().length());
        }
    }

    /** Takes a file as read: it was there before the agent. Whether it still had its name. */
    boolean passOver(String path, FileFamily.Member member) {
        FileId id = member.status().id();
        if (positions.file(id) != null) {
            return true;
        }
        try (FileChannel channel = files.open(member.path(), id)) {
            long end = files.dataEnd(channel, member.status(), 0);
            FilePosition position = LastLine.at(channel, FilePosition.start(path, id), end);
            positions.put(position.finished());
            return true;
        } catch (IOException e) {
            return false; // renamed meanwhile, or not ours
        }
    }

    /** Whether a file that was read to its end and is gone may come back compressed. */
    private boolean mayBeCompressed(FilePosition position, Map<String, Integer> gone) {
        int scans = missing.getOrDefault(position.id(), 0);
        return scans < SCANS_UNTIL_GONE
                || position.offset() > 0
                        && scans < SCANS_UNTIL_FORGOTTEN
                        && gone.merge(position.path(), 1, Integer::sum) <= MOST_GONE_A_LOG;
    }

    /** Lets a file that is gone be known by what was in it, and not by its inode. */
    private void keepByContent(FilePosition position) {
        FileId id = position.id();
        Integer scans = missing.remove(id);
        positions.remove(id);
        verified.remove(id);
        if (position.offset() > 0) {
            FileId content = FileId.ofGone(position.tail());
            missing.put(content, scans == null ? 0 : scans);
            positions.put(position.in(content));
        }
    }

    /**
     * Notes which files that were read to their end are not among a log's names any more; none if nobody can say what
     * is there.
     *
     * @param compressed files that are among its compressed ones
     */
    void miss(String path, FileFamily.Snapshot now, Set<FileId> compressed) {
        if (!now.listed()) {
            return;
        }
        Set<FileId> there = new HashSet<>(compressed);
        now.base().ifPresent(base -> there.add(base.id()));
        now.members().forEach(member -> there.add(member.status().id()));
        missing.keySet().removeAll(there);
        for (FilePosition position : positions.of(path)) {
            if (position.done() && !there.contains(position.id())) {
                missing.putIfAbsent(position.id(), 0);
            }
        }
    }

    /**
     * Drops the positions of files that are missing for an hour, and of the oldest if there are many: were they
     * dropped at once, a file that was moved to another name that is followed, that is being
     * renamed at this moment, or that is being compressed, would be read again from its beginning.
     *
     * @param found all paths that are followed if there is room
     */
    void forgetMissing(Collection<Path> found) {
        if (missing.isEmpty()) {
            return;
        }
        for (Path path : found) {
            FileId id = files.status(path).map(FileId.Status::id).orElse(null);
            FilePosition position = id == null || missing.remove(id) == null ? null : positions.file(id);
            if (position != null && position.done()) {
                positions.put(position.finishedUnder(FileNames.text(path)));
            }
        }
        missing.replaceAll((id, scans) -> scans + 1);
        Map<String, Integer> gone = new HashMap<>();
        for (FileId id : List.copyOf(missing.sequencedKeySet().reversed())) {
            FilePosition position = positions.file(id);
            boolean done = position != null && position.done();
            if (position != null && position.done() && mayBeCompressed(position, gone)) {
                if (!id.isOfGone() && missing.getOrDefault(id, 0) >= SCANS_UNTIL_GONE) {
                    keepByContent(position);
                }
                continue;
            }
            missing.remove(id);
            if (done) {
                positions.remove(id);
                verified.remove(id);
            }
        }
    }
}
