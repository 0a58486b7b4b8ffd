package dev.veilgate.agent.follow;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The folders of the files that this process has open, or in which they were before they were deleted, as Linux says it
 * of its descriptors. For one thread.
 */
final class OpenFiles {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    /** Descriptors are thousands, and asked for together when many logs are rotated at one time. */
    private static final long KEPT_NANOS = 1_000_000_000;

    private record File(long device, long inode) {}

    /** Where a file is, and whose it is. */
    record Place(Path folder, int owner) {}

    private final Map<File, Place> folders = new HashMap<>();
    private long asked = System.nanoTime() - KEPT_NANOS;

    /** The folder of an open file; empty if the system does not say it. */
    Optional<Place> folder(FileId id) {
        if (System.nanoTime() - asked >= KEPT_NANOS) {
            ask();
        }
        return Optional.ofNullable(folders.get(new File(id.device(), id.inode())));
    }

    private void ask() {
        folders.clear();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
            for (Path descriptor : all) {
                ask(descriptor);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // not Linux, or not ours to know
        }
        asked = System.nanoTime();
    }

    private void ask(Path descriptor) {
        try {
            Path name = Files.readSymbolicLink(descriptor);
            Path folder = name.isAbsolute() ? name.getParent() : null;
            if (folder != null && !folder.startsWith("/proc") && !folder.startsWith("/dev")) {
                Map<String, Object> is = Files.readAttributes(descriptor, "unix:dev,ino,uid,isRegularFile");
                if (Boolean.TRUE.equals(is.get("isRegularFile"))
                        && is.get("dev") instanceof Long device
                        && is.get("ino") instanceof Long inode
                        && is.get("uid") instanceof Integer owner) {
                    folders.put(new File(device, inode), new Place(folder, owner));
                }
            }
        } catch (IOException e) {
            // closed meanwhile
        }
    }
}
