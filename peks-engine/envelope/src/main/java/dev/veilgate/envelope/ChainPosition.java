package dev.veilgate.envelope;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * Where a sender's next envelope goes. A sender keeps it durably: one position used for two envelopes is a fork, which {@link
 * ChainVerifier} names.
 *
 * @param sequence       its sequence number: 1 for the first
 * @param previousDigest SHA-256 of the whole previous envelope, 32 zero bytes for the first
 */
public record ChainPosition(long sequence, byte[] previousDigest) {
    private static final int DIGEST_BYTES = 32;

    /** @throws IllegalArgumentException for a sequence number below 1 or a digest that has not 32 bytes */
    public ChainPosition {
        if (sequence < 1) {
            throw new IllegalArgumentException("sequence numbers begin at 1");
        }
        if (previousDigest.length != DIGEST_BYTES) {
            throw new IllegalArgumentException("the previous digest has 32 bytes");
        }
        previousDigest = previousDigest.clone();
    }

    /** Where a sender begins. */
    public static ChainPosition first() {
        return new ChainPosition(1, new byte[DIGEST_BYTES]);
    }

    /** A copy of the digest. */
    @Override
    public byte[] previousDigest() {
        return previousDigest.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChainPosition that
                && sequence == that.sequence
                && Arrays.equals(previousDigest, that.previousDigest);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(sequence) * 31 + Arrays.hashCode(previousDigest);
    }

    @Override
    public String toString() {
        return "ChainPosition[" + sequence + " after " + HexFormat.of().formatHex(previousDigest, 0, 4) + "...]";
    }
}
