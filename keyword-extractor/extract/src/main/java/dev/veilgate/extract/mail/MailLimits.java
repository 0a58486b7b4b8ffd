package dev.veilgate.extract.mail;

/**
 * How much of a mail is read, at most. Beyond a limit the mail is still read as far as it goes, and a {@link Refusal}
 * says so. How many keywords is said by the profile, for it is the same for every sender; these limits are the
 * machine's.
 *
 * @param maxMessageBytes bytes of the message
 * @param maxHeaderBytes  bytes of one header field, and of one line of a header
 * @param maxHeaderFields fields of one header
 * @param maxParts        parts of a message, all levels together
 * @param maxDepth        levels of multiparts and attached messages
 * @param maxTextChars    characters of text of all parts together
 * @param processorMillis processor time of the thread that reads the message, without what is done in the process for
 *                        attachments
 * @param attachments     those of attachments
 */
public record MailLimits(
        long maxMessageBytes,
        int maxHeaderBytes,
        int maxHeaderFields,
        int maxParts,
        int maxDepth,
        int maxTextChars,
        int processorMillis,
        AttachmentLimits attachments) {
    /** What a mail server would let through, with memory for a small machine. */
    public static final MailLimits DEFAULT =
            new MailLimits(256L << 20, 256 << 10, 2_000, 1_000, 32, 2_000_000, 10_000, AttachmentLimits.DEFAULT);

    /** @throws IllegalArgumentException if one is not positive */
    public MailLimits {
        AttachmentLimits.requirePositive(
                maxMessageBytes, maxHeaderBytes, maxHeaderFields, maxParts, maxDepth, maxTextChars, processorMillis);
    }

    /**
     * Those of a search, which opens mails of many strangers: a second for the texts of each.
     *
     * @param times of the processor time that a search usually has
     */
    public static MailLimits ofSearch(int times) {
        return new MailLimits(
                DEFAULT.maxMessageBytes,
                DEFAULT.maxHeaderBytes,
                DEFAULT.maxHeaderFields,
                DEFAULT.maxParts,
                DEFAULT.maxDepth,
                DEFAULT.maxTextChars,
                Math.multiplyExact(1_000, times),
                DEFAULT.attachments.times(times));
    }

    /** The same with other limits of attachments. */
    public MailLimits with(AttachmentLimits others) {
        return new MailLimits(
                maxMessageBytes,
                maxHeaderBytes,
                maxHeaderFields,
                maxParts,
                maxDepth,
                maxTextChars,
                processorMillis,
                others);
    }
}
