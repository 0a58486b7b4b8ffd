package dev.veilgate.gateway.chain;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * When something counts as missing.
 *
 * @param gapWindow how long envelopes of a sender may overtake one another before a gap is declared
 */
@ConfigurationProperties("veilgate.chain")
public record ChainSettings(@DefaultValue("60s") Duration gapWindow) {
    /** @throws IllegalArgumentException naming the key */
    public ChainSettings {
        if (gapWindow.isNegative()) {
            throw new IllegalArgumentException("veilgate.chain.gap-window must not be negative");
        }
    }
}
