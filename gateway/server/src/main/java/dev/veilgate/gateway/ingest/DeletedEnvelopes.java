package dev.veilgate.gateway.ingest;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** What retention deleted: whoever submits it again must not bring it back. */
public interface DeletedEnvelopes {
    /** Nothing is deleted before it is as old; younger envelopes need not be asked for. */
    Duration MIN_AGE = Duration.ofDays(1);

    /** SHA-256 of an envelope that was deleted; empty if none of this id was. */
    Optional<byte[]> digest(String tenant, UUID id);
}
