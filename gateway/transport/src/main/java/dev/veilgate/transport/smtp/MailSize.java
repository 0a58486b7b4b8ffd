package dev.veilgate.transport.smtp;

/** Sizes of mails in the words of a reply, and of the attachments that fit into them. */
public final class MailSize {
    /** Bytes of a base64 line with its CR LF, for each byte that it carries. */
    private static final double BASE64_BYTES = 78.0 / 57;

    private static final long KILOBYTE = 1_000;
    private static final long MEGABYTE = 1_000_000;

    private MailSize() {}

    /** Whole megabytes (10^6 bytes), or kilobytes below ten of them; rounded down. */
    public static String words(long bytes) {
        return bytes < 10 * MEGABYTE ? bytes / KILOBYTE + " kB" : bytes / MEGABYTE + " MB";
    }

    /**
     * Bytes of attachments that fit into a mail which has nothing else.
     *
     * @param layers of base64 around them: 1 in a mail as it is written, 3 in one that is signed and encrypted
     */
    public static long attachments(long mailBytes, int layers) {
        return (long) (mailBytes / Math.pow(BASE64_BYTES, layers));
    }
}
