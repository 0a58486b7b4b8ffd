package dev.veilgate.gateway.store;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The embedded store.
 *
 * @param answers       memory for what searches found out, so that a repeated one, or one that shares a keyword, does not run Test again
 * @param searchThreads that run Test, for all searches together; they share what cores there are with everything else
 */
@ConfigurationProperties("veilgate.store")
public record StoreSettings(
        @DefaultValue("64MB") DataSize answers,
        @DefaultValue("2") int searchThreads) {
    /** @throws IllegalArgumentException naming the key */
    public StoreSettings {
        if (answers.isNegative()) {
            throw new IllegalArgumentException("veilgate.store.answers must not be negative");
        }
        if (searchThreads < 1 || searchThreads > 256) {
            throw new IllegalArgumentException("veilgate.store.search-threads must be 1 to 256");
        }
    }
}
