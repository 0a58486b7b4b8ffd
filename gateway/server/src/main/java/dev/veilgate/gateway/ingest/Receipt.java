package dev.veilgate.gateway.ingest;

import java.util.Optional;
import java.util.UUID;

/**
 * That a submission is durable.
 *
 * @param envelope id of the envelope; empty for a plain mail
 * @param repeated whether exactly this was there already, so that nothing was stored again
 */
public record Receipt(Optional<UUID> envelope, boolean repeated) {}
