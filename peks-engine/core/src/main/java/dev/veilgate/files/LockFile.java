package dev.veilgate.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A lock file, held by one process at a time and freed by the system when that process ends, however it ends. */
public final class LockFile implements AutoCloseable {
    /** POSIX drops a process's lock on a file as soon as it closes any channel of it: never open a second one. */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private LockFile(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** The lock; empty if another process, or another part of this one, holds it. The file is created if needed and stays. */
    public static Optional<LockFile> tryLock(Path lockFile) throws IOException {
        Path file =
                DurableFiles.folderOf(lockFile.toAbsolutePath()).toRealPath().resolve(lockFile.getFileName());
        if (!HELD.add(file)) {
            return Optional.empty();
        }
        LockFile held = null;
        try {
            FileChannel channel = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                    DurableFiles.ownerOnly("rw-------"));
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                return Optional.empty();
            }
            held = new LockFile(file, channel);
            return Optional.of(held);
        } finally {
            if (held == null) {
                HELD.remove(file);
            }
        }
    }

    /** Lets others hold it. */
    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close(); // and with it the lock
            HELD.remove(file);
        }
    }
}
