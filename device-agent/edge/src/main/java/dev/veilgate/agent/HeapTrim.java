package dev.veilgate.agent;

import java.util.function.LongSupplier;

/**
 * Collects what an agent has dropped long before its heap is full: the serial collector lets dropped objects that had
 * become old lie until then, so that an agent which needs 20 MB took the 72 that it may.
 *
 * <p>A collection of a heap of 30 MB takes some 50 ms, and comes once in tens of thousands of lines. For one thread.
 */
final class HeapTrim {
    /** Part of the largest heap that may be dropped and not collected; young objects are in it. */
    private static final int PART = 4;

    private final LongSupplier used;
    private final Runnable collect;
    private final long slack;
    private long kept;

    /** The heap of this process. */
    HeapTrim() {
        this(HeapTrim::usedNow, System::gc, Runtime.getRuntime().maxMemory() / PART);
    }

    /**
     * A heap that is asked for.
     *
     * @param used  bytes of all objects, those included that are not collected yet
     * @param slack bytes that may come since the last collection
     */
    HeapTrim(LongSupplier used, Runnable collect, long slack) {
        this.used = used;
        this.collect = collect;
        this.slack = slack;
        this.kept = used.getAsLong();
    }

    private static long usedNow() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /** Collects, if much came since the last time; asked often. */
    void look() {
        long now = used.getAsLong();
        if (now - kept > slack) {
            collect.run();
            kept = used.getAsLong();
        } else {
            kept = Math.min(kept, now);
        }
    }
}
