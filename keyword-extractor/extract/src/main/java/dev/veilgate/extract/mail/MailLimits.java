package dev.veilgate.extract.mail;

/**
 * How much of a mail is read, at most. Beyond a limit the mail is still read as far as it goes, and a {@link Refusal} says so. How many
 * keywords is said by the profile, for it is the same for every sender; these limits are the machine's.
 *
 * @param maxMessageBytes    bytes of the message
 * @param maxHeaderBytes     bytes of one header field, and of one line of a header
 * @param maxHeaderFields    fields of one header
 * @param maxParts           parts of a message, all levels together
 * @param maxDepth           levels of multiparts and attached messages
 * @param maxTextChars       characters of text of all parts together
 * @param maxAttachmentBytes bytes of one attachment that is read by Tika
 * @param maxInflatedBytes   bytes to which one attachment may unpack
 * @param maxEmbedded        files inside one attachment
 * @param maxEmbeddedDepth   levels of files inside one attachment
 * @param attachmentMillis   time for one attachment
 * @param messageMillis      time for all attachments of a message
 * @param readerMegabytes    heap of the process that reads attachments
 * @param processorMillis    processor time of the thread that reads the message, without what is done in the process for attachments
 */
public record MailLimits(
        long maxMessageBytes,
        int maxHeaderBytes,
        int maxHeaderFields,
        int maxParts,
        int maxDepth,
        int maxTextChars,
        int maxAttachmentBytes,
        long maxInflatedBytes,
        int maxEmbedded,
        int maxEmbeddedDepth,
        int attachmentMillis,
        int messageMillis,
        int readerMegabytes,
        int processorMillis) {
    private static final int PROCESSOR_MILLIS = 10_000;

    /** What a mail server would let through, with memory for a small machine. */
    public static final MailLimits DEFAULT = new MailLimits(
            256L << 20, 256 << 10, 2_000, 1_000, 32, 2_000_000, 16 << 20, 128L << 20, 200, 4, 20_000, 60_000, 256);

    /** With the processor time that is the default. */
    public MailLimits(
            long maxMessageBytes,
            int maxHeaderBytes,
            int maxHeaderFields,
            int maxParts,
            int maxDepth,
            int maxTextChars,
            int maxAttachmentBytes,
            long maxInflatedBytes,
            int maxEmbedded,
            int maxEmbeddedDepth,
            int attachmentMillis,
            int messageMillis,
            int readerMegabytes) {
        this(
                maxMessageBytes,
                maxHeaderBytes,
                maxHeaderFields,
                maxParts,
                maxDepth,
                maxTextChars,
                maxAttachmentBytes,
                maxInflatedBytes,
                maxEmbedded,
                maxEmbeddedDepth,
                attachmentMillis,
                messageMillis,
                readerMegabytes,
                PROCESSOR_MILLIS);
    }

    /** @throws IllegalArgumentException if one is not positive */
    public MailLimits {
        long[] all = {
            maxMessageBytes, maxHeaderBytes, maxHeaderFields, maxParts, maxDepth, maxTextChars,
            maxAttachmentBytes, maxInflatedBytes, maxEmbedded, maxEmbeddedDepth, attachmentMillis, messageMillis,
            readerMegabytes, processorMillis
        };
        for (long limit : all) {
            if (limit <= 0) {
                throw new IllegalArgumentException("every limit of a mail is positive");
            }
        }
    }
}
