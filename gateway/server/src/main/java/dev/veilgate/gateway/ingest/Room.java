package dev.veilgate.gateway.ingest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Whether there is room on the disk, and in the backlog, for more, and what is taken gets stored. */
class Room {
    private static final long LOOK_AGAIN_NANOS = 200_000_000;

    private final Path folder;
    private final long minFreeBytes;
    private final long maxBacklogBytes;
    private final Duration maxStall;
    private final LongSupplier backlog;
    private final Supplier<Duration> stalled;
    private volatile boolean known;
    private volatile boolean isShort;
    private volatile long lookedAt;

    /**
     * @param backlog bytes that were taken and are not applied yet
     * @param stalled for how long nothing was applied though it should have been
     */
    Room(Path folder, IngestSettings settings, LongSupplier backlog, Supplier<Duration> stalled) {
        this.folder = folder;
        this.minFreeBytes = settings.minFreeDisk().toBytes();
        this.maxBacklogBytes = settings.maxBacklog().toBytes();
        this.maxStall = settings.maxStall();
        this.backlog = backlog;
        this.stalled = stalled;
    }

    /** @throws RefusedException if there is none now */
    void require() throws RefusedException {
        if (isShort()) {
            throw new RefusedException(Refusal.STORAGE_FULL, "the disk is full; try again later");
        }
        if (backlog.getAsLong() > maxBacklogBytes) {
            throw new RefusedException(Refusal.UNAVAILABLE, "too much waits to be stored; try again later");
        }
        if (isStalled()) {
            throw new RefusedException(Refusal.UNAVAILABLE, "what was taken cannot be stored for now; try again later");
        }
    }

    /** Whether nothing was applied for so long that nothing is taken. */
    boolean isStalled() {
        return stalled.get().compareTo(maxStall) > 0;
    }

    /** Whether less is free than must be. */
    boolean isShort() {
        long now = System.nanoTime();
        if (!known || now - lookedAt > LOOK_AGAIN_NANOS) {
            lookedAt = now;
            isShort = freeBytes() < minFreeBytes;
            known = true;
        }
        return isShort;
    }

    /** Bytes that are free where the data is; 0 if nobody can say. */
    long freeBytes() {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            return 0;
        }
    }
}
