package dev.veilgate.archive;

import dev.veilgate.files.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A lock on a key of this device, which one process and one thread has at a time; nobody waits for it. */
final class DeviceLock implements AutoCloseable {
    private final FileChannel channel;

    private DeviceLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Takes a lock.
     *
     * @param lock the lock's own file; its folder is made if it is not there
     * @param key  the file that is not changed meanwhile
     * @throws UnusableKeyException if another has it
     */
    static DeviceLock take(Path lock, Path key) throws IOException {
        DurableFiles.createFolder(DurableFiles.folderOf(lock));
        FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            taken = lock(channel) != null;
            if (!taken) {
                throw new UnusableKeyException(key + " is being changed by another process; try again when it ended");
            }
            return new DeviceLock(channel);
        } finally {
            if (!taken) {
                channel.close();
            }
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
