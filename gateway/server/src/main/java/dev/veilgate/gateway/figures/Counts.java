package dev.veilgate.gateway.figures;

/**
 * Numbers of events of one tenant, each at least 0.
 *
 * @param lines     records of sealed logs that were stored
 * @param mails     sealed mails that were stored
 * @param searches  that were started
 * @param delivered actions of routes that were done
 * @param failed    attempts at actions of routes that failed
 */
public record Counts(long lines, long mails, long searches, long delivered, long failed) {
    /** Nothing happened. */
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0);

    static final Counts SEARCH = new Counts(0, 0, 1, 0, 0);
    static final Counts DELIVERED = new Counts(0, 0, 0, 1, 0);
    static final Counts FAILED = new Counts(0, 0, 0, 0, 1);

    /** Sum of both. */
    public Counts plus(Counts more) {
        return new Counts(
                lines + more.lines,
                mails + more.mails,
                searches + more.searches,
                delivered + more.delivered,
                failed + more.failed);
    }
}
