package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What stays the same when a file is renamed.
 *
 * @param device number of the file system; may change when the machine starts
 * @param inode  number of the file in it; may be given to another file once this one is gone
 */
public record FileId(long device, long inode) {
    /** Longer than a tick of a file system's clock: what is changed again within one keeps its time. */
    private static final Duration TICK = Duration.ofMillis(100);

    /** What is asked of a name each time it is looked at. */
    record Status(FileId id, long size, FileTime modified) {}

    /** A time of last change by which a later change can be told; null if it is too fresh for that. */
    static @Nullable FileTime telling(@Nullable FileTime modified) {
        return modified == null || modified.toInstant().isAfter(Instant.now().minus(TICK)) ? null : modified;
    }

    /**
     * Opens a name for reading if this is still the file behind it: between the look at a name and its opening a rotation may have given it to
     * another file.
     *
     * @throws NoSuchFileException if it is another one
     */
    FileChannel open(Path name) throws IOException {
        FileChannel channel = FileChannel.open(name, StandardOpenOption.READ);
        boolean same = false;
        try {
            // a file that was renamed away does not come back, so it had the name in between too
            same = status(name).map(now -> now.id().inode() == inode).orElse(false);
        } finally {
            if (!same) {
                channel.close();
            }
        }
        if (!same) {
            throw new NoSuchFileException(name.toString(), null, "renamed meanwhile");
        }
        return channel;
    }

    /** When a folder's names changed last; null if it is gone. */
    static @Nullable FileTime modified(Path folder) {
        try {
            return Files.getLastModifiedTime(folder);
        } catch (IOException e) {
            return null;
        }
    }

    /** The status of a regular file, links followed; empty if there is none. */
    static Optional<Status> status(Path path) {
        try {
            Map<String, Object> found = Files.readAttributes(path, "unix:dev,ino,size,lastModifiedTime,isRegularFile");
            if (!Boolean.TRUE.equals(found.get("isRegularFile"))) {
                return Optional.empty();
            }
            FileId id = new FileId((Long) found.get("dev"), (Long) found.get("ino"));
            return Optional.of(new Status(id, (Long) found.get("size"), (FileTime) found.get("lastModifiedTime")));
        } catch (IOException e) {
            return Optional.empty(); // gone, or not ours to read: looked at again soon
        }
    }
}
