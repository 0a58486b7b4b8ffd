package dev.veilgate.envelope;

import dev.veilgate.encoding.ByteWriter;
import java.time.Instant;
import java.util.Objects;

/**
 * What a sender itself had to drop, in clear inside the signed envelope.
 *
 * @param reason  a short code such as spool-full, truncated-file: 1 to 64 bytes
 * @param records how many records; 0 if not known
 * @param bytes   how many bytes; 0 if not known
 * @param from    time of the first; kept in whole milliseconds
 * @param to      time of the last
 */
public record LossReport(String reason, long records, long bytes, Instant from, Instant to) {
    /** Most bytes of a reason. */
    public static final int MAX_REASON_BYTES = 64;

    /** @throws IllegalArgumentException for a negative count or an empty or long reason */
    public LossReport {
        int length = ByteWriter.utf8(reason).length;
        if (length < 1 || length > MAX_REASON_BYTES) {
            throw new IllegalArgumentException("a reason has 1 to " + MAX_REASON_BYTES + " bytes in UTF-8");
        }
        if (records < 0 || bytes < 0) {
            throw new IllegalArgumentException("a loss is not negative");
        }
        Objects.requireNonNull(from);
        Objects.requireNonNull(to);
    }
}
