package dev.veilgate.extract.mail;

import java.time.Duration;

/**
 * Processor time that the attachments of all mails of one search may take together, with what it takes to start the
 * processes that read them. For several threads.
 */
public final class AttachmentBudget {
    private long allowedNanos;
    private long spentNanos;

    /** A budget of which nothing is spent. */
    public AttachmentBudget(Duration allowed) {
        this.allowedNanos = allowed.toNanos();
    }

    /** Allows more. */
    public synchronized void grow(Duration more) {
        allowedNanos += more.toNanos();
    }

    synchronized void spend(long nanos) {
        spentNanos += nanos;
    }

    synchronized long leftNanos() {
        return allowedNanos - spentNanos;
    }

    /** Processor time that was used. */
    public synchronized Duration spent() {
        return Duration.ofNanos(spentNanos);
    }

    /** Processor time that is left; negative if more was used. */
    public Duration left() {
        return Duration.ofNanos(leftNanos());
    }
}
