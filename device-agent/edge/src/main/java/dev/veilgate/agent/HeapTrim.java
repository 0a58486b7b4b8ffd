package dev.veilgate.agent;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/**
 * Collects what an agent has dropped long before its heap is full: the serial collector lets dropped objects that had
 * become old lie until then, so that an agent which needs 20 MB took the 72 that it may.
 *
 * <p>A collection of a heap of 30 MB takes some 50 ms, and comes once in tens of thousands of lines. For one thread.
 */
final class HeapTrim {
    /** Part of the largest heap that old objects may take since the last collection. */
    private static final int PART = 8;

    private final LongSupplier used;
    private final Runnable collect;
    private final long slack;
    private long kept;

    /** The heap of this process. */
    HeapTrim() {
        this(oldObjects(), System::gc, Runtime.getRuntime().maxMemory() / PART);
    }

    /**
     * A heap that is asked for.
     *
     * @param used  bytes of old objects, those included that are not collected yet
     * @param slack bytes that may come since the last collection
     */
    HeapTrim(LongSupplier used, Runnable collect, long slack) {
        this.used = used;
        this.collect = collect;
        this.slack = slack;
        this.kept = used.getAsLong();
    }

    /** Asks for the space of old objects; with a collector that has none, for all. */
    private static LongSupplier oldObjects() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findFirst()
                .<LongSupplier>map(pool -> () -> pool.getUsage().getUsed())
                .orElse(HeapTrim::allObjects);
    }

    private static long allObjects() {
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
