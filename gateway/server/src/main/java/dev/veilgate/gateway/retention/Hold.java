package dev.veilgate.gateway.retention;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * That something must not be deleted, whatever its age.
 *
 * @param scope    all envelopes of this scope; or null
 * @param envelope this one; or null
 * @param reason   for people
 * @param placedBy name of the token
 */
record Hold(UUID id, @Nullable String scope, @Nullable UUID envelope, String reason, Instant placed, String placedBy) {}
