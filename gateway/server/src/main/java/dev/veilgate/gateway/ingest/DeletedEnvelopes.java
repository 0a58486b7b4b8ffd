package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.store.EnvelopeName;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** What retention deleted: whoever submits it again must not bring it back. */
public interface DeletedEnvelopes {
    /** Nothing is deleted before it is as old; younger envelopes need not be asked for. */
    Duration MIN_AGE = Duration.ofDays(1);

    /** Names of the envelopes of an id that a registered sender signed and that were deleted. */
    List<EnvelopeName> signed(String tenant, String sender, UUID id);
}
