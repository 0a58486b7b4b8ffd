package dev.veilgate.gateway.store;

import dev.veilgate.envelope.Envelope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An envelope as the store holds it.
 *
 * @param envelope checked on arrival
 * @param content  of an envelope whose sealed content travels beside it: the sealed mail in the form in which it is delivered
 * @param arrived  by this gateway's clock
 */
public record StoredEnvelope(Envelope envelope, @Nullable StoredContent content, Instant arrived) {}
