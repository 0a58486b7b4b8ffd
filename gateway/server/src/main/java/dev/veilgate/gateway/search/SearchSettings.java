package dev.veilgate.gateway.search;

import dev.veilgate.query.SearchRequest;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Searches.
 *
 * @param grants        whether a search must carry a grant that the tenant's authority signed; one that is there must hold in any case
 * @param maxRequest    most bytes of a search; a trapdoor has about 5 KB, and each epoch and key takes one
 * @param jobsPerTenant most searches of a tenant at a time, ended ones whose hits can still be read included
 * @param idle          a search that nobody has asked about for so long is cancelled and removed with its hits
 * @param maxAge        a search is removed with its hits after so long in any case
 */
@ConfigurationProperties("veilgate.search")
public record SearchSettings(
        @DefaultValue("optional") Grants grants,
        @DefaultValue("16MB") DataSize maxRequest,
        @DefaultValue("64") int jobsPerTenant,
        @DefaultValue("30m") Duration idle,
        @DefaultValue("24h") Duration maxAge) {
    /** Whether grants are needed. */
    public enum Grants {
        /** A search without one is refused. */
        REQUIRED,
        /** A search may come without one. */
        OPTIONAL
    }

    /** @throws IllegalArgumentException naming the key */
    public SearchSettings {
        check(
                maxRequest.toKilobytes() >= 8 && maxRequest.toBytes() <= SearchRequest.MAX_BYTES,
                "max-request must be 8KB to 64MB");
        check(jobsPerTenant >= 1, "jobs-per-tenant must be at least 1");
        check(idle.toSeconds() >= 60, "idle must be at least 1m");
        check(maxAge.compareTo(idle) >= 0, "max-age must be at least idle");
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException("veilgate.search." + message);
        }
    }
}
