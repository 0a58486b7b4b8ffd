package dev.veilgate.extract.mail;

/**
 * Processor time that is left for the attachments of one mail; it grows with each byte of them that is sent to a
 * reader. For one thread.
 */
final class AttachmentTime {
    private final AttachmentLimits limits;
    private long bytes;
    private long spentNanos;

    AttachmentTime(AttachmentLimits limits) {
        this.limits = limits;
    }

    /** More bytes were sent. */
    void grow(int sent) {
        bytes += sent;
    }

    void spend(long nanos) {
        spentNanos += nanos;
    }

    long leftNanos() {
        return limits.time(bytes).toNanos() - spentNanos;
    }
}
