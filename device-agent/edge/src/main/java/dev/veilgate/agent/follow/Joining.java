package dev.veilgate.agent.follow;

import java.time.Duration;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Bounds within which lines of files are joined that are the parts of one, for all files of a source. Of lines that
 * wait for the rest of theirs, places are kept, and no bytes. For one thread.
 */
final class Joining {
    /** How long a part waits at the end of a file before it is sealed as it is. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Lines that wait in all files together: what is kept of each is 16 bytes, or twice that. */
    static final int MOST_WAITING = 1 << 16;

    /** No line is joined with another. */
    static final Joining NONE = new Joining(() -> 0, () -> 0);

    private final IntSupplier mostBytes;
    private final LongSupplier nanoTime;
    private int waiting;

    /**
     * Joins lines as long as it is told to.
     *
     * @param mostBytes of a record; 0 while each line is a record
     */
    Joining(IntSupplier mostBytes, LongSupplier nanoTime) {
        this.mostBytes = mostBytes;
        this.nanoTime = nanoTime;
    }

    /** Bytes that a record may have that is made of several lines; 0 if there are none now. */
    int mostBytes() {
        return mostBytes.getAsInt();
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    /** Whether what has waited since then waits no longer. */
    boolean isOver(long sinceNanos) {
        return nanoTime() - sinceNanos >= PATIENCE.toNanos();
    }

    /** Tells if one more line may wait. */
    boolean hasRoom() {
        return waiting < MOST_WAITING;
    }

    /** Counts lines that wait from now on, or with a number below zero no more. */
    void count(int lines) {
        waiting += lines;
    }

    int waiting() {
        return waiting;
    }
}
