package dev.veilgate.console.search;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Rechecks: when a search has ended, random envelopes that it did not find are fetched and tested.
 *
 * @param envelopes how many are drawn after each search; 0 for none
 * @param time      that one takes at most, of its own turns
 * @param bytes     that one fetches at most; the envelope that goes beyond it is the last
 * @param retention how long the gateway must keep envelopes, the shortest of its rules, such as `90d`; without it for
 *                  good, so that each number that it does not give is an alarm
 */
@ConfigurationProperties("veilgate.recheck")
record RecheckSettings(
        @DefaultValue("200") int envelopes,
        @DefaultValue("2m") Duration time,
        @DefaultValue("256MB") DataSize bytes,
        @Nullable Duration retention) {
    private static final int MOST = 10_000;

    /** @throws IllegalArgumentException naming the key */
    RecheckSettings {
        if (envelopes < 0 || envelopes > MOST) {
            throw new IllegalArgumentException("veilgate.recheck.envelopes must be 0 to 10,000");
        }
        if (time.toSeconds() < 1) {
            throw new IllegalArgumentException("veilgate.recheck.time must be a second or more");
        }
        if (bytes.toMegabytes() < 1) {
            throw new IllegalArgumentException("veilgate.recheck.bytes must be 1MB or more");
        }
        if (retention != null && retention.toDays() < 1) {
            throw new IllegalArgumentException("veilgate.recheck.retention must be a day or more");
        }
    }

    /** How long envelopes are kept; empty for good. */
    Optional<Duration> kept() {
        return Optional.ofNullable(retention);
    }
}
