package dev.veilgate.console.search;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Searches.
 *
 * @param maxRows    most rows of a search; there it stops
 * @param perUser    most searches of a user at a time, ended ones too; the one that nobody looked at for longest is forgotten
 * @param running    most of them that run
 * @param exports    most exports of a user at a time
 * @param kept       how long a search that has ended is kept after somebody looked at it last
 */
@ConfigurationProperties("veilgate.search")
record SearchSettings(
        @DefaultValue("1000000") long maxRows,
        @DefaultValue("20") int perUser,
        @DefaultValue("4") int running,
        @DefaultValue("2") int exports,
        @DefaultValue("1h") Duration kept) {
    /** @throws IllegalArgumentException naming the key */
    SearchSettings {
        if (maxRows < 1 || maxRows > 10_000_000) {
            throw new IllegalArgumentException("veilgate.search.max-rows must be 1 to 10,000,000");
        }
        if (exports < 1 || exports > 100) {
            throw new IllegalArgumentException("veilgate.search.exports must be 1 to 100");
        }
        if (perUser < 1 || running < 1 || running > perUser) {
            throw new IllegalArgumentException("veilgate.search.running must be 1 to veilgate.search.per-user");
        }
    }
}
