package dev.veilgate.gateway.ingest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/** Whether there is room on the disk, and in the backlog, for more. */
class Room {
    private static final long LOOK_AGAIN_NANOS = 200_000_000;

    private final Path folder;
    private final long minFreeBytes;
    private final long maxBacklogBytes;
    private final LongSupplier backlog;
    private volatile boolean known;
    private volatile boolean isShort;
    private volatile long lookedAt;

    /** @param backlog bytes that were taken and are not applied yet */
    Room(Path folder, IngestSettings settings, LongSupplier backlog) {
        this.folder = folder;
        this.minFreeBytes = settings.minFreeDisk().toBytes();
        this.maxBacklogBytes = settings.maxBacklog().toBytes();
        this.backlog = backlog;
    }

    /** @throws RefusedException if there is none now */
    void require() throws RefusedException {
        if (isShort()) {
            throw new RefusedException(Refusal.STORAGE_FULL, "the disk is full; try again later");
        }
        if (backlog.getAsLong() > maxBacklogBytes) {
            throw new RefusedException(Refusal.UNAVAILABLE, "too much waits to be stored; try again later");
        }
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
