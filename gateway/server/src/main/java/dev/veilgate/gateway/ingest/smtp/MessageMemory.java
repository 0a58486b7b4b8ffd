package dev.veilgate.gateway.ingest.smtp;

import java.util.concurrent.atomic.AtomicLong;

/** What all messages in progress may take of the heap together. */
final class MessageMemory {
    private final long limit;
    private final AtomicLong taken = new AtomicLong();

    MessageMemory(long limit) {
        this.limit = limit;
    }

    /** Takes so many bytes, if they are left. */
    boolean take(long bytes) {
        if (taken.addAndGet(bytes) <= limit) {
            return true;
        }
        taken.addAndGet(-bytes);
        return false;
    }

    void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }
}
