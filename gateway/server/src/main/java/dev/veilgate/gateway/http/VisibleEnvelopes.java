package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.ingest.Visibility;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.StoredEnvelope;
import dev.veilgate.peks.IndexBlock;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Stored envelopes as far as a token may see them: those of its tenant, and, if it may see some scopes, only what is indexed under one of them. */
@Component
public final class VisibleEnvelopes {
    private final EnvelopeStore store;
    private final Visibility visibility;

    VisibleEnvelopes(EnvelopeStore store, Visibility visibility) {
        this.store = store;
        this.visibility = visibility;
    }

    /** The envelope of an id; one that is not there is waited for, since it may have been acknowledged a moment ago. */
    Optional<StoredEnvelope> find(Principal principal, UUID id) throws IOException, InterruptedException {
        Optional<StoredEnvelope> found = store.find(principal.tenant(), id);
        if (found.isEmpty()) {
            awaitAcknowledged(principal);
            found = store.find(principal.tenant(), id);
        }
        return found.filter(stored -> maySee(principal, stored));
    }

    /** Waits until {@link #stored} finds what was acknowledged before, for a second at most. */
    public void awaitAcknowledged(Principal principal) throws InterruptedException {
        visibility.await(principal.tenant(), Visibility.MOST_BEHIND);
    }

    /** The envelope of an id, if it is there now. */
    public Optional<StoredEnvelope> stored(Principal principal, UUID id) throws IOException {
        return store.find(principal.tenant(), id).filter(stored -> maySee(principal, stored));
    }

    private static boolean maySee(Principal principal, StoredEnvelope stored) {
        return principal.scopes().isEmpty()
                || stored.envelope().index().stream().map(IndexBlock::scope).anyMatch(principal::maySee);
    }
}
