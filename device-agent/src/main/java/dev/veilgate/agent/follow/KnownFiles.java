package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The files that have a position: those that are followed, those that were read to their end, and those that had been rotated away before the
 * first start. Of the last two nobody holds the inode, so it may have been given to another file: they are known by their content as well.
 */
final class KnownFiles {
    private final Positions positions;
    private final Map<FileId, FileTime> verified = new HashMap<>();

    KnownFiles(Positions positions) {
        this.positions = positions;
    }

    /** @throws IOException if its content could not be looked at: it was renamed since its name was looked at, or is not ours to read */
    boolean isKnown(Path name, FileId.Status status) throws IOException {
        FilePosition position = positions.file(status.id());
        if (position == null) {
            return false;
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

    /** Whether a file that was read to its end has more now: its writer was late. */
    boolean hasGrown(FileId.Status status) {
        FilePosition position = positions.file(status.id());
        return position != null && position.done() && status.size() > position.offset();
    }

    /** Where to go on in a file that was read to its end under the log's own name, as when its folder was away, and has more now; null if it is another. */
    @Nullable
    FilePosition toGoOn(Path name, FileId.Status status) {
        FilePosition position = positions.file(status.id());
        return hasGrown(status) && position.path().equals(name.toString()) ? position : null;
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

    /** Drops the positions of files that were read to their end and are not there any more; none if nobody can say what is there. */
    void forgetGone(String path, FileFamily.Snapshot now) {
        if (!now.listed()) {
            return;
        }
        Set<FileId> there = new HashSet<>();
        now.members().forEach(member -> there.add(member.status().id()));
        for (FilePosition position : positions.of(path)) {
            if (position.done() && !there.contains(position.id())) {
                positions.remove(position.id());
                verified.remove(position.id());
            }
        }
    }
}
