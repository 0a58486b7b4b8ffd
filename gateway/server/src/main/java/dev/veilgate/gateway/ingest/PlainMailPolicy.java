package dev.veilgate.gateway.ingest;

/** What is done with mail that nobody sealed. The gateway never seals itself. */
public interface PlainMailPolicy {
    /** @throws RefusedException with {@link Refusal#PLAIN_MAIL} if a recipient's domain takes sealed mail only, and it is not what such a domain takes all the same */
    void check(Submission.OfMail mail) throws RefusedException;

    /** Tells if a mail is in the form of a report that another was not delivered, from the empty sender. */
    default boolean isReport(Submission.OfMail mail) {
        return false;
    }
}
