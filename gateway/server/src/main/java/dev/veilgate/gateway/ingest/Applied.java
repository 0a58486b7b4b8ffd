package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.store.Arrival;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An arrival that is durable and stored.
 *
 * @param arrival     empty for a plain mail
 * @param message     the mail in the form in which it is delivered; null for an envelope that came alone
 * @param reversePath of the mail
 * @param recipients  of the mail
 */
@SuppressWarnings("ArrayRecordComponent")
public record Applied(
        Optional<Arrival> arrival, byte @Nullable [] message, String reversePath, List<String> recipients) {}
