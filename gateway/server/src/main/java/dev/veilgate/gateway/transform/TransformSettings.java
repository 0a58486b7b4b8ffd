package dev.veilgate.gateway.transform;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Pairings that the gateway does for readers.
 *
 * @param parallel requests at a time, one of each token; each takes up to half a second of a core. 0: none, and readers open by themselves
 */
@ConfigurationProperties("veilgate.transforms")
public record TransformSettings(@DefaultValue("2") int parallel) {
    private static final int MOST = 64;

    /** @throws IllegalArgumentException naming the key */
    public TransformSettings {
        if (parallel < 0 || parallel > MOST) {
            throw new IllegalArgumentException("veilgate.transforms.parallel must be 0 to " + MOST);
        }
    }
}
