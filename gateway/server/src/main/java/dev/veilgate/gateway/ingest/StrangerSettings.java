package dev.veilgate.gateway.ingest;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of sealed mail that names no registered sender, which anybody may send. Those of a minute hold where nobody
 * logged in: for each address (64 bits of it, of IPv6), and four times as much for each network (24 bits of IPv4, 48 of
 * IPv6).
 *
 * @param mailsPerMinute  mails of one address; a network may send four times as many
 * @param bytesPerMinute  bytes of them
 * @param blocksPerMinute index blocks in them, each of up to 256 keywords: every search of their scope tests all of
 * them
 * @param bytesPerBlock   content that a mail must have for each index block of a scope, after the first two; other mail
 * is refused
 */
@ConfigurationProperties("veilgate.ingest.strangers")
public record StrangerSettings(
        @DefaultValue("6000") int mailsPerMinute,
        @DefaultValue("2GB") DataSize bytesPerMinute,
        @DefaultValue("12000") int blocksPerMinute,
        @DefaultValue("256B") DataSize bytesPerBlock) {
    /** What holds where nothing is configured. */
    public static final StrangerSettings DEFAULTS =
            new StrangerSettings(6000, DataSize.ofGigabytes(2), 12_000, DataSize.ofBytes(256));

    /** @throws IllegalArgumentException naming the key */
    public StrangerSettings {
        check(mailsPerMinute >= 1, "mails-per-minute must be at least 1");
        check(bytesPerMinute.toMegabytes() >= 1, "bytes-per-minute must be at least 1MB");
        check(blocksPerMinute >= 1, "blocks-per-minute must be at least 1");
        check(bytesPerBlock.toBytes() >= 1, "bytes-per-block must be at least 1B");
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException("veilgate.ingest.strangers." + message);
        }
    }

    /** Most blocks of one scope that a mail's content can have keywords for. */
    int justifiedBlocks(long contentBytes) {
        return (int) Math.min(Integer.MAX_VALUE, 2 + contentBytes / bytesPerBlock.toBytes());
    }
}
