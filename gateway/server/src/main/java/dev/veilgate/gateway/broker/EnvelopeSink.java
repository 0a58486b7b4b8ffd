package dev.veilgate.gateway.broker;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.ingest.RefusedException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Takes what was published to the topics of envelopes. */
@FunctionalInterface
public interface EnvelopeSink {
    /**
     * Takes an envelope.
     *
     * @param sender   whose topic it is
     * @param envelope the exact bytes; not written to any more
     * @return completes with nothing once it is durable, or with why it is not taken; never exceptionally
     */
    CompletableFuture<Optional<RefusedException>> take(Principal sender, byte[] envelope);
}
