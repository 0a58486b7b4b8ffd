package dev.veilgate.extract.mail;

import java.time.Duration;

/**
 * How much of the attachments of a mail is read, at most.
 *
 * <p>Time is that of the processor that reads them, never that of a clock on the wall: a machine that is busy with
 * other things, and attachments of others that are read first, take nothing of it. All attachments of a mail together
 * have {@link #time}.
 *
 * @param maxBytes          bytes of one attachment
 * @param maxInflatedBytes  bytes to which one attachment may unpack
 * @param maxEmbedded       files inside one attachment
 * @param maxEmbeddedDepth  levels of files inside one attachment
 * @param baseMillis        processor time for a mail with an attachment, however small
 * @param megabyteMillis    more for each megabyte (10^6 bytes) of attachments
 * @param mostMillis        the most for a mail
 * @param stallMillis       time of the wall in which a reader that does not use the processor at all is taken for dead
 * @param readerMegabytes   heap of the process that reads attachments
 */
public record AttachmentLimits(
        int maxBytes,
        long maxInflatedBytes,
        int maxEmbedded,
        int maxEmbeddedDepth,
        int baseMillis,
        int megabyteMillis,
        int mostMillis,
        int stallMillis,
        int readerMegabytes) {
    private static final double MEGABYTE = 1e6;

    /** Time: twice to ten times what dense texts of 1 to 1,000 pages take. */
    public static final AttachmentLimits DEFAULT =
            new AttachmentLimits(32 << 20, 128L << 20, 200, 4, 300, 2_000, 10_000, 60_000, 256);

    /** @throws IllegalArgumentException if one is not positive */
    public AttachmentLimits {
        requirePositive(
                maxBytes,
                maxInflatedBytes,
                maxEmbedded,
                maxEmbeddedDepth,
                baseMillis,
                megabyteMillis,
                mostMillis,
                stallMillis,
                readerMegabytes);
    }

    static void requirePositive(long... limits) {
        for (long limit : limits) {
            if (limit <= 0) {
                throw new IllegalArgumentException("every limit of a mail is positive");
            }
        }
    }

    /**
     * Processor time for the attachments of a mail: {@code min(mostMillis, baseMillis + megabyteMillis * bytes /
     * 10^6)}.
     *
     * @param bytes of all of them, decoded
     */
    public Duration time(long bytes) {
        return Duration.ofMillis(Math.min(mostMillis, baseMillis + (long) (megabyteMillis * (bytes / MEGABYTE))));
    }

    /** The same with so many times the processor time. */
    public AttachmentLimits times(int factor) {
        return new AttachmentLimits(
                maxBytes,
                maxInflatedBytes,
                maxEmbedded,
                maxEmbeddedDepth,
                Math.multiplyExact(baseMillis, factor),
                Math.multiplyExact(megabyteMillis, factor),
                Math.multiplyExact(mostMillis, factor),
                stallMillis,
                readerMegabytes);
    }
}
