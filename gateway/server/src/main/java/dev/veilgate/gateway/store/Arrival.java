package dev.veilgate.gateway.store;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.peks.StoredBlock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An envelope that passed every check, with the storage form of its index blocks, so that none is checked twice.
 *
 * @param envelope as it came
 * @param blocks   one for each of {@code envelope.index()}, in order; empty for a scheme that is not known here: kept, never found
 * @param content  of an envelope whose sealed content travels beside it: the sealed mail in the form in which it is delivered; not copied
 * @param arrived  by this gateway's clock, whole milliseconds
 */
@SuppressWarnings("ArrayRecordComponent")
public record Arrival(
        Envelope envelope, List<Optional<StoredBlock>> blocks, byte @Nullable [] content, Instant arrived) {
    /** @throws IllegalArgumentException if there are not as many blocks as the envelope has */
    public Arrival {
        blocks = List.copyOf(blocks);
        if (blocks.size() != envelope.index().size()) {
            throw new IllegalArgumentException("one stored block for each block of the envelope");
        }
    }
}
