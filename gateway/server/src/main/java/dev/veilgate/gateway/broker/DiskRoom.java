package dev.veilgate.gateway.broker;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a folder's disk has room for what the start of the embedded broker writes, and waiting until it has. Asking the file system is not enough, since a quota or a thin volume may say
 * no only to who writes; so a file is written as well, made durable and removed again. That file is never the one that fills the disk: four times as much must be free.
 */
final class DiskRoom {
    /** About what HiveMQ writes when it starts with an empty folder; it sets aside less than twice as much. */
    private static final int PROBE_BYTES = 16 << 20;

    static final long NEEDED_BYTES = 4L * PROBE_BYTES;

    private static final String PROBE_NAME = ".mqtt-room.tmp";

    private static final Duration STEP = Duration.ofMillis(500);
    private static final int WRITE_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(DiskRoom.class);

    private final Path folder;
    private final CompletableFuture<Void> shortage = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean isShort;
    /** What was free when somebody looked last; negative if the file system does not say. */
    private volatile long freeBytes = -1;

    /** @param folder need not be there */
    DiskRoom(Path folder) {
        this.folder = folder.toAbsolutePath();
    }

    /** Completes when room is missing for the first time. */
    CompletableFuture<Void> shortage() {
        return shortage;
    }

    /** Whether room was missing when somebody looked last. */
    boolean isShort() {
        return isShort;
    }

    /** What there is and what is missing, for who must make room. */
    String shortageText() {
        long free = freeBytes;
        String disk = "no room on the disk of " + folder + ": ";
        if (free >= NEEDED_BYTES) {
            return disk + megabytes(free) + " MB are free, but a file of " + megabytes(PROBE_BYTES)
                    + " MB cannot be written (a quota, or no inodes); the embedded broker starts when it can";
        }
        return disk + "the embedded broker starts when " + megabytes(NEEDED_BYTES) + " MB are free; "
                + (free < 0
                        ? "how much is free, is not known"
                        : megabytes(free) + " MB are, " + (megabytes(NEEDED_BYTES) - megabytes(free))
                                + " MB more are needed");
    }

    private static long megabytes(long bytes) {
        return bytes >> 20;
    }

    /**
     * Looks without writing.
     *
     * @return whether room is missing
     */
    boolean look() {
        note(!saysSo());
        return isShort;
    }

    /**
     * Returns when there is room, which a file was written to find out.
     *
     * @return whether it had to wait
     * @throws IllegalStateException if it was closed before
     */
    boolean await() throws InterruptedException {
        boolean waited = false;
        while (!isClosed()) {
            boolean enough = saysSo() && canWrite();
            note(!enough);
            if (enough) {
                return waited;
            }
            waited = true;
            pause();
        }
        throw new IllegalStateException("it was stopped before there was room on the disk");
    }

    /** A step of waiting. */
    void pause() throws InterruptedException {
        closed.await(STEP.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether nobody waits any more. */
    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Who waits fails. */
    void close() {
        closed.countDown();
    }

    private void note(boolean missing) {
        if (missing && !isShort) {
            LOG.warn("MQTT: {}; what is in its folder stays there", shortageText());
        } else if (!missing && isShort) {
            LOG.info("MQTT: there is room on the disk of {} again", folder);
        }
        isShort = missing;
        if (missing) {
            shortage.complete(null);
        }
    }

    private boolean saysSo() {
        try {
            freeBytes = Files.getFileStore(present()).getUsableSpace();
            return freeBytes >= NEEDED_BYTES;
        } catch (IOException e) {
            freeBytes = -1;
            LOG.debug("The disk of {} cannot be asked for room", folder, e);
            return true; // the start shows what is wrong
        }
    }

    private boolean canWrite() {
        Path probe = present().resolve(PROBE_NAME); // one name, so that a crash leaves no second one
        try {
            try (FileChannel out = FileChannel.open(
                    probe, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.allocateDirect(WRITE_BYTES);
                while (bytes.hasRemaining()) {
                    bytes.putLong(System.nanoTime()); // zeros may take no room
                }
                for (long written = 0; written < PROBE_BYTES; ) {
                    if (!bytes.hasRemaining() || written == 0) {
                        bytes.rewind();
                    }
                    written += out.write(bytes);
                }
                out.force(true);
            }
            return true;
        } catch (IOException e) {
            LOG.debug("A file of {} bytes cannot be written to the disk of {}", PROBE_BYTES, folder, e);
            return !isForLackOfRoom(e);
        } finally {
            delete(probe);
        }
    }

    private static void delete(Path probe) {
        try {
            Files.deleteIfExists(probe);
        } catch (IOException e) {
            LOG.warn("{} could not be removed: {}", probe, e.toString());
        }
    }

    /** Whether this, or what it came from, is an answer of a file system without room. */
    static boolean isForLackOfRoom(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            String message = at.getMessage();
            if (message != null
                    && (message.contains("No space left on device")
                            || message.contains("Disk quota exceeded")
                            || message.contains("not enough space on the disk"))) {
                return true;
            }
        }
        return false;
    }

    /** The folder, or the nearest one above it that is there. */
    private Path present() {
        Path at = folder;
        while (!Files.isDirectory(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }
}
