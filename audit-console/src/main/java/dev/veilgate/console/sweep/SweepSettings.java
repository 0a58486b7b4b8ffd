package dev.veilgate.console.sweep;

import dev.veilgate.abe.policy.AttributeSet;
import dev.veilgate.abe.policy.PolicySyntaxException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Sweeps, which open random envelopes to see whether their indexes are complete.
 *
 * @param envelopes  how many of each registered sender, and mails of all, are drawn in a round; 0 for no sweeps
 * @param every      how often a round begins; one that still runs goes on instead
 * @param attributes with which they are opened, such as `role:auditor, site:plant-7`; without any, what is sealed for
 *                   the tenant's key alone is opened
 */
@ConfigurationProperties("veilgate.sweep")
record SweepSettings(
        @DefaultValue("0") int envelopes,
        @DefaultValue("1h") Duration every,
        @Nullable String attributes) {
    private static final int MOST = 10_000;
    private static final Duration LEAST = Duration.ofMinutes(1);

    /** @throws IllegalArgumentException naming the key */
    SweepSettings {
        if (envelopes < 0 || envelopes > MOST) {
            throw new IllegalArgumentException("veilgate.sweep.envelopes must be 0 to 10,000");
        }
        if (every.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException("veilgate.sweep.every must be a minute or more");
        }
        parsed(attributes);
    }

    /** The rights of sweeps; empty for none but the tenant's key. */
    Optional<AttributeSet> rights() {
        return parsed(attributes);
    }

    private static Optional<AttributeSet> parsed(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(AttributeSet.parse(text));
        } catch (PolicySyntaxException e) {
            throw new IllegalArgumentException("veilgate.sweep.attributes: " + e.getMessage(), e);
        }
    }
}
