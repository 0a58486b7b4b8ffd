package dev.veilgate.agent.follow;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When names were looked at. What was written last before a look was seen in it, under a name or as an open file; a
 * compressed file that was written later may hold lines that nobody has read.
 */
final class Looks {
    /** Clocks of file systems go in steps, and those of others are not quite ours. */
    static final Duration MARGIN = Duration.ofSeconds(2);
    /**
     * An agent that looks at names more often than this misses no file that comes and goes, but for a rotation that
     * has gone wild.
     */
    static final Duration OFTEN = Duration.ofSeconds(2);

    private final @Nullable Instant lastRun;
    private final LongSupplier nanoTime;
    private final List<FilePosition> takenUp = new ArrayList<>();
    private Instant scanned;

    /**
     * Looks from now on.
     *
     * @param lastRun  of the run before; null if nobody noted it
     * @param nanoTime as {@link System#nanoTime}
     */
    Looks(@Nullable Instant lastRun, LongSupplier nanoTime) {
        this.lastRun = lastRun;
        this.nanoTime = nanoTime;
        this.scanned = lastRun != null ? lastRun : now();
    }

    /** Now, or a little before: to be compared with times of files. */
    static Instant now() {
        return Instant.now().minus(MARGIN);
    }

    @Nullable
    Instant lastRun() {
        return lastRun;
    }

    /** Where files stood that are taken up in this scan. */
    List<FilePosition> takenUp() {
        return takenUp;
    }

    void takeUp(List<FilePosition> positions) {
        takenUp.addAll(positions);
    }

    /** When names were looked for last, of those that nobody follows. */
    Instant scanned() {
        return scanned;
    }

    void scanned(Instant begun) {
        scanned = begun;
        takenUp.clear();
    }

    /** For how long nobody looked. */
    Duration since(long nanos) {
        return Duration.ofNanos(nanoTime.getAsLong() - nanos);
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }
}
