package dev.veilgate.console.rows;

import java.util.concurrent.atomic.AtomicLong;

/** Heap that the columns of all searches may take together. For several threads. */
public final class RowMemory {
    /** A part of the heap: rows that are not in memory are counted as such, so less is no fault. */
    private static final int HEAPS = 5;

    private final long most;
    private final AtomicLong taken = new AtomicLong();

    /** A budget of so many bytes. */
    public RowMemory(long most) {
        this.most = most;
    }

    /** A budget of a fifth of the heap. */
    public static RowMemory ofHeap() {
        return new RowMemory(Runtime.getRuntime().maxMemory() / HEAPS);
    }

    /** Takes some, or nothing if there is not as much. */
    boolean take(long bytes) {
        if (taken.addAndGet(bytes) > most) {
            taken.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    /** Bytes that are taken. */
    public long taken() {
        return taken.get();
    }
}
