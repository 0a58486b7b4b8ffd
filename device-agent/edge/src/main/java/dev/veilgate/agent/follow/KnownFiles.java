package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that have a position: those that are followed, those that were read to their end, and those that had been rotated away before the
 * first start. Of the last two nobody holds the inode, so it may have been given to another file: they are known by their content as well.
 */
final class KnownFiles {
    private static final int SCANS_UNTIL_GONE = 3;

    private final Positions positions;
    private final Collection<FilePosition> lastRun;
    private final Map<FileId, FileTime> verified = new HashMap<>();
    private final Set<FileId> unpacked = new HashSet<>();
    /** Of the last run, and not taken up yet. */
    private final Set<FileId> waiting = new HashSet<>();
    /** Scans since a file was missed. */
    private final Map<FileId, Integer> missing = new LinkedHashMap<>();

    KnownFiles(Positions positions) {
        this.positions = positions;
        this.lastRun = positions.files().values();
    }

    /** Notes that a compressed file is read. Files are known by it from then on, since another may have the inode of what was compressed. */
    void unpacked(FileId archive) {
        unpacked.add(archive);
    }

    /** Whether a compressed file is or was read in this run. */
    boolean isUnpacked(FileId archive) {
        return unpacked.contains(archive);
    }

    /** Where all files stood when the agent started. */
    Collection<FilePosition> lastRun() {
        return lastRun;
    }

    /** @throws IOException if its content could not be looked at: it was renamed since its name was looked at, or is not ours to read */
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
        positions.remove(status.id()); // another file has the inode now
        verified.remove(status.id());
        return false;
    }

    /** Whether a file was known while its file system had another number, as it may get when the machine starts or it is mounted again, or while nobody knew when it was made. */
    private boolean isOfAnotherDevice(Path name, FileId id) throws IOException {
        for (FilePosition position : positions.withInode(id.inode())) {
            boolean sameFolder = Objects.equals(
                    Path.of(position.path()).getParent(),
                    Path.of(name.toString()).getParent());
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
    boolean hasGrown(FileId.Status status) {
        FilePosition position = positions.file(status.id());
        return position != null && position.done() && status.size() > position.offset();
    }

    /**
     * Where to go on in a file that was read to its end and has more now, under the name that it has: its folder was away, its writer was late, or it was taken for another file's rotated
     * one. Null if it has no more.
     */
    @Nullable
    FilePosition toGoOn(Path name, FileId.Status status) {
        FilePosition position = positions.file(status.id());
        return position != null && hasGrown(status) ? position.under(name.toString()) : null;
    }

    /** Whether a name is that of the file of a position, by its content. */
    boolean isSame(Path name, FilePosition at) {
        try {
            return at.offset() > 0 && isAt(name, at);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isAt(Path name, FilePosition at) throws IOException {
        try (FileChannel channel = at.id().open(name)) {
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
        try (FileChannel channel = id.open(member.path())) {
            long end = channel.size();
            FilePosition position = LastLine.at(channel, FilePosition.start(path, id), end);
            positions.put(position.finished());
            return true;
        } catch (IOException e) {
            return false; // renamed meanwhile, or not ours
        }
    }

    /** Notes which files that were read to their end are not among a log's names any more; none if nobody can say what is there. */
    void miss(String path, FileFamily.Snapshot now) {
        if (!now.listed()) {
            return;
        }
        Set<FileId> there = new HashSet<>();
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
     * Drops the positions of files that are missing for some scans: were they dropped at once, a file that was moved to another name that is followed, or that is being renamed at this moment,
     * would be read again from its beginning.
     *
     * @param found all paths that are followed if there is room
     */
    void forgetMissing(Collection<Path> found) {
        if (missing.isEmpty()) {
            return;
        }
        for (Path path : found) {
            FileId id = FileId.status(path).map(FileId.Status::id).orElse(null);
            FilePosition position = id == null || missing.remove(id) == null ? null : positions.file(id);
            if (position != null && position.done()) {
                positions.put(position.finishedUnder(path.toString()));
            }
        }
        missing.replaceAll((id, scans) -> scans + 1);
        for (FileId id : List.copyOf(missing.keySet())) {
            FilePosition position = positions.file(id);
            boolean done = position != null && position.done();
            if (done && missing.getOrDefault(id, 0) < SCANS_UNTIL_GONE) {
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
