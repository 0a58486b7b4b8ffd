package dev.veilgate.gateway.memory;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Mails of more than 1 MiB, which take turns at the heap.
 *
 * @param patience how long one waits for its turn before its sender is told to come again (451); at most 5m, since mail
 *             servers wait for an answer for ten
 */
@ConfigurationProperties("veilgate.ingest.large-mails")
public record LargeMailSettings(@DefaultValue("2m") Duration patience) {
    private static final Duration MOST = Duration.ofMinutes(5);

    /** @throws IllegalArgumentException naming the key */
    public LargeMailSettings {
        if (!patience.isPositive() || patience.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("veilgate.ingest.large-mails.patience must be positive and at most 5m");
        }
    }
}
