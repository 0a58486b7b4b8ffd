package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What stays the same when a file is renamed.
 *
 * @param device number of the file system; may change when the machine starts
 * @param inode  number of the file in it; may be given to another file once this one is gone
 * @param birth  when the file was made, in nanoseconds since 1970; 0 if nobody can say, since the file system does
 *               not keep it
 */
public record FileId(long device, long inode, long birth) {
    /** Longer than a tick of a file system's clock: what is changed again within one keeps its time. */
    private static final Duration TICK = Duration.ofMillis(100);

    /** Devices whose file systems do not keep the birth of files. */
    private static final Set<Long> WITHOUT_BIRTH = ConcurrentHashMap.newKeySet();

    /** The device of files that are gone; no file system has it. */
    private static final long GONE = -1;

    /**
     * What is asked of a name each time it is looked at.
     *
     * @param owner user id
     */
    record Status(FileId id, long size, FileTime modified, int owner) {}

    /** Stands for a file that is gone, of which another file may have the inode by now. */
    static FileId ofGone(Digest content) {
        return new FileId(GONE, ByteBuffer.wrap(content.sha256()).getLong(), 0);
    }

    boolean isOfGone() {
        return device == GONE;
    }

    /** A time of last change by which a later change can be told; null if it is too fresh for that. */
    static @Nullable FileTime telling(@Nullable FileTime modified) {
        return modified == null || modified.toInstant().isAfter(Instant.now().minus(TICK)) ? null : modified;
    }

    /** Whether both are one file, on whatever device, as far as anybody can say. */
    boolean mayBe(FileId other) {
        return inode == other.inode && (birth == other.birth || birth == 0 || other.birth == 0);
    }

    /** Whether nobody knows when the file was made. */
    boolean isOfUnknownAge() {
        return birth == 0;
    }

    /** When the file was made. */
    Instant made() {
        return Instant.EPOCH.plusNanos(birth);
    }

    /** Whether the file may have been written at a time: it was made before, or nobody knows when. */
    boolean mayBeWrittenAt(FileTime time) {
        return birth == 0 || birth <= time.to(TimeUnit.NANOSECONDS);
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
            Map<String, Object> found =
                    Files.readAttributes(path, "unix:dev,ino,uid,size,lastModifiedTime,creationTime,isRegularFile");
            if (!Boolean.TRUE.equals(found.get("isRegularFile"))) {
                return Optional.empty();
            }
            long device = (Long) asked(found, "dev");
            FileId id =
                    new FileId(device, (Long) asked(found, "ino"), hasBirth(path, device, found) ? birth(found) : 0);
            return Optional.of(
                    new Status(id, (Long) asked(found, "size"), (FileTime) asked(found, "lastModifiedTime"), (Integer)
                            asked(found, "uid")));
        } catch (IOException e) {
            return Optional.empty(); // gone, or not ours to read: looked at again soon
        }
    }

    private static long birth(Map<String, Object> attributes) {
        return ((FileTime) asked(attributes, "creationTime")).to(TimeUnit.NANOSECONDS);
    }

    /**
     * Whether the birth of a file is known. Where it is not, Java gives the time of the last change instead; so it is
     * known if it differs from that, for the file or, if that was not changed since it
     * was made, for one of the folders above it on the same device.
     */
    private static boolean hasBirth(Path path, long device, Map<String, Object> attributes) throws IOException {
        if (WITHOUT_BIRTH.contains(device)) {
            return false;
        }
        if (!isUnchanged(attributes)) {
            return true;
        }
        for (Path above = path.toRealPath().getParent(); above != null; above = above.getParent()) {
            Map<String, Object> folder = Files.readAttributes(above, "unix:dev,lastModifiedTime,creationTime");
            if ((Long) asked(folder, "dev") != device) {
                break;
            }
            if (!isUnchanged(folder)) {
                return true;
            }
        }
        WITHOUT_BIRTH.add(device);
        return false;
    }

    private static boolean isUnchanged(Map<String, Object> attributes) {
        return asked(attributes, "creationTime").equals(attributes.get("lastModifiedTime"));
    }

    private static Object asked(Map<String, Object> attributes, String name) {
        return Objects.requireNonNull(attributes.get(name)); // all that was asked for is there
    }
}
