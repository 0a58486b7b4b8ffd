package dev.veilgate.extract.mail;

/**
 * Processor time that is left for the attachments of one mail, in the process that reads them and in the thread that
 * opens the mail; it grows with each byte of them that is sent to a reader. For one thread.
 */
final class AttachmentTime {
    /** Time for an attachment to be handed to a reader and back, twice to five times what that takes. */
    private static final long HANDING_NANOS = 2_000_000;

    private final AttachmentLimits limits;
    private final AttachmentBudget budget;
    private long bytes;
    private long spentNanos;

    /** @param budget of this and other mails */
    AttachmentTime(AttachmentLimits limits, AttachmentBudget budget) {
        this.limits = limits;
        this.budget = budget;
    }

    /** More bytes were sent. */
    void grow(int sent) {
        bytes += sent;
    }

    /**
     * Processor time was used.
     *
     * @param reading  to read the mail's attachments
     * @param starting to start processes and load classes, which counts for the budget alone
     */
    void spend(long reading, long starting) {
        spentNanos += reading;
        budget.spend(reading + starting);
    }

    /** An attachment is handed to a reader: a thousand of a few bytes are work, too, of which a reader sees a part. */
    void hand() {
        spentNanos += HANDING_NANOS;
    }

    /** Processor time was used by the thread that opens the mail, which counts it for the budget itself. */
    void spendHere(long opening) {
        spentNanos += opening;
    }

    long leftNanos() {
        return leftNanos(0);
    }

    /** Time that would be left with so many bytes more. */
    long leftNanos(int more) {
        return Math.min(limits.time(bytes + more).toNanos() - spentNanos, budget.leftNanos());
    }
}
