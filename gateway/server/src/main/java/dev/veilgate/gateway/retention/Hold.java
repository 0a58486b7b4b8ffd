package dev.veilgate.gateway.retention;

import dev.veilgate.gateway.store.EnvelopeName;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * That something must not be deleted, whatever its age.
 *
 * @param scope    all envelopes of this scope; or null
 * @param envelope those of this id; or null
 * @param digest   of those the one with this digest; null for all of them
 * @param reason   for people
 * @param placedBy name of the token
 */
record Hold(
        UUID id,
        @Nullable String scope,
        @Nullable UUID envelope,
        @Nullable String digest,
        String reason,
        Instant placed,
        String placedBy) {
    /** Whether it speaks of this envelope by its id. */
    boolean holds(EnvelopeName name) {
        return name.id().equals(envelope) && (digest == null || digest.equals(name.digest()));
    }
}
