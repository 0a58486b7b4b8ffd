package dev.veilgate.gateway.store;

import dev.veilgate.peks.RecordSet;
import java.time.Instant;
import java.util.UUID;

/**
 * An envelope with records that a search finds.
 *
 * @param envelope its id
 * @param digest   as in {@link EnvelopeName}
 * @param sender   registered, or empty
 * @param sequence of a registered sender, or 0
 * @param first    earliest record time
 * @param last     latest record time
 * @param detached whether the content is a mail beside the envelope
 * @param records  those found; not empty
 */
public record SearchHit(
        UUID envelope,
        String digest,
        String sender,
        long sequence,
        Instant first,
        Instant last,
        boolean detached,
        RecordSet records) {}
