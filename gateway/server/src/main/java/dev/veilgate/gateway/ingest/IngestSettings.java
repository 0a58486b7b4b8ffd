package dev.veilgate.gateway.ingest;

import dev.veilgate.envelope.Envelope;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What is taken, and how fast.
 *
 * @param maxEnvelope          most bytes of an envelope; at most 16 MB
 * @param maxBlocks            most index blocks of an envelope, each of up to 256 keywords: every search of their scope
 * tests all of them
 * @param maxClockSkew         how far in the future an envelope may have been sealed
 * @param envelopesPerMinute   of one token, device or mail user
 * @param bytesPerMinute       of one token, device or mail user
 * @param minFreeDisk          below which nothing is taken, so that what was taken can still be stored
 * @param maxBacklog           most bytes of the journal that store and database have not taken over yet; beyond,
 * nothing is taken
 * @param segmentSize          of the journal's files
 * @param maxStall             how long nothing of what was taken could be stored before nothing more is taken
 * @param outdatedFor          how long envelopes of registered senders with an index of form 2 are taken, from the
 * newest such envelope on that the store held at the first start of a version that seals form 3; a gateway that held
 * none takes none
 */
@ConfigurationProperties("veilgate.ingest")
public record IngestSettings(
        @DefaultValue("16MB") DataSize maxEnvelope,
        @DefaultValue("256") int maxBlocks,
        @DefaultValue("1h") Duration maxClockSkew,
        @DefaultValue("60000") int envelopesPerMinute,
        @DefaultValue("8GB") DataSize bytesPerMinute,
        @DefaultValue("256MB") DataSize minFreeDisk,
        @DefaultValue("4GB") DataSize maxBacklog,
        @DefaultValue("64MB") DataSize segmentSize,
        @DefaultValue("5m") Duration maxStall,
        @DefaultValue("30d") Duration outdatedFor) {
    static final Duration MOST_OUTDATED = Duration.ofDays(36_500);

    /** @throws IllegalArgumentException naming the key */
    public IngestSettings {
        check(
                maxEnvelope.toBytes() >= 1024 && maxEnvelope.toBytes() <= Envelope.MAX_BYTES,
                "max-envelope must be 1KB to 16MB");
        check(maxBlocks >= 1 && maxBlocks <= 1024, "max-blocks must be 1 to 1024");
        check(!maxClockSkew.isNegative(), "max-clock-skew must not be negative");
        check(envelopesPerMinute >= 1, "envelopes-per-minute must be at least 1");
        check(bytesPerMinute.toBytes() >= maxEnvelope.toBytes(), "bytes-per-minute must be at least max-envelope");
        check(maxBacklog.toMegabytes() >= 64, "max-backlog must be at least 64MB");
        check(segmentSize.toMegabytes() >= 1, "segment-size must be at least 1MB");
        check(maxStall.toSeconds() >= 1, "max-stall must be at least 1s");
        check(
                !outdatedFor.isNegative() && outdatedFor.compareTo(MOST_OUTDATED) <= 0,
                "outdated-for must be 0s to " + MOST_OUTDATED.toDays() + "d");
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException("veilgate.ingest." + message);
        }
    }
}
