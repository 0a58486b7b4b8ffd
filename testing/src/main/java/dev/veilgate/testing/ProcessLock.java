package dev.veilgate.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * A lock that one test holds at a time, in whichever JVM it runs: for what a machine or a checkout has once, such as an installation that writes into its own folder.
 *
 * <p>The lock ends with its process, also with one that is killed. Waiting has no limit of its own: the limit of the whole build ends a wait for a test that hangs.
 */
public final class ProcessLock implements AutoCloseable {
    /** Threads of this JVM: the system's lock is between processes only. */
    private static final Map<Path, Semaphore> HELD_HERE = new ConcurrentHashMap<>();

    private final Semaphore here;
    private final FileChannel channel;

    private ProcessLock(Semaphore here, FileChannel channel) {
        this.here = here;
        this.channel = channel;
    }

    /**
     * Waits until nobody else holds the lock, and takes it.
     *
     * @param file what names the lock; made with its folders if it is not there, and left behind
     */
    public static ProcessLock take(Path file) throws IOException, InterruptedException {
        Path absolute = file.toAbsolutePath().normalize();
        Semaphore here = HELD_HERE.computeIfAbsent(absolute, path -> new Semaphore(1, true));
        here.acquire();
        try {
            Files.createDirectories(absolute.getParent());
            FileChannel channel = FileChannel.open(absolute, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            try {
                channel.lock();
                return new ProcessLock(here, channel);
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            here.release();
            throw e;
        }
    }

    /** Releases it. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (channel.isOpen()) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                here.release();
            }
        }
    }
}
