package dev.veilgate.console.custody;

import java.time.Duration;

/**
 * A part of what is to be made with the keys, short enough that others who wait for them are soon served: a new one is
 * begun whenever they are handed out again. For one thread.
 */
public final class Slice {
    /** Most steps of a slice. */
    public static final int MOST = 64;

    private static final Duration TAKES = Duration.ofMillis(50);

    private final long began = System.nanoTime();
    private int steps;

    /** Begins now. */
    public Slice() {}

    /** Counts a step: true if there is time for it, as there always is for the first. */
    public boolean step() {
        boolean goesOn = steps == 0 || steps < MOST && System.nanoTime() - began < TAKES.toNanos();
        steps += goesOn ? 1 : 0;
        return goesOn;
    }
}
