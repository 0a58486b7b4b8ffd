package dev.veilgate.index;

import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** Counts what a search does, and stops it. One for each search; its threads share it. */
public final class SearchMonitor {
    private final BooleanSupplier cancelled;
    private final LongAdder tested = new LongAdder();
    private final LongAdder remembered = new LongAdder();

    /** @param cancelled asked before each Test: must be quick */
    public SearchMonitor(BooleanSupplier cancelled) {
        this.cancelled = cancelled;
    }

    /** Index blocks on which Test ran. */
    public long blocksTested() {
        return tested.sum();
    }

    /** Counts blocks of a segment of {@link SealedScorer#remembered}. */
    public void countRemembered(long blocks) {
        remembered.add(blocks);
    }

    /** Index blocks whose answers were all remembered from earlier searches. */
    public long blocksRemembered() {
        return remembered.sum();
    }

    void count(int blocksTested, int blocksRemembered) {
        if (blocksTested > 0) {
            tested.add(blocksTested);
        }
        if (blocksRemembered != 0) {
            remembered.add(blocksRemembered);
        }
    }

    /** @throws CancellationException if the search is to end */
    void checkCancelled() {
        if (cancelled.getAsBoolean()) {
            throw new CancellationException("the search was cancelled");
        }
    }
}
