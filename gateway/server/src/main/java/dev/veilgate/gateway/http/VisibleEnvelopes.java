package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.ingest.Visibility;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.StoredEnvelope;
import dev.veilgate.peks.IndexBlock;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
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

    /**
     * An envelope; one that is not there is waited for, since it may have been acknowledged a moment ago.
     *
     * @param digest of the one of the id that is wanted; null: the one that the id alone means
     */
    Optional<StoredEnvelope> find(Principal principal, UUID id, @Nullable String digest)
            throws IOException, InterruptedException {
        Optional<StoredEnvelope> found = now(principal, id, digest);
        if (found.isEmpty()) {
            awaitAcknowledged(principal);
            found = now(principal, id, digest);
        }
        return found.filter(stored -> maySee(principal, stored));
    }

    private Optional<StoredEnvelope> now(Principal principal, UUID id, @Nullable String digest) throws IOException {
        return digest == null
                ? store.find(principal.tenant(), id)
                : store.find(principal.tenant(), new EnvelopeName(id, digest));
    }

    /** Whether several envelopes have this id. */
    boolean isShared(Principal principal, UUID id) throws IOException {
        return store.isShared(principal.tenant(), id);
    }

    /** Waits until {@link #only} finds what was acknowledged before, for a second at most. */
    public void awaitAcknowledged(Principal principal) throws InterruptedException {
        visibility.await(principal.tenant(), Visibility.MOST_BEHIND);
    }

    /** The envelope of an id, if it is there now and the only one of the id: else nobody knows which one is asked for. */
    public Optional<StoredEnvelope> only(Principal principal, UUID id) throws IOException {
        return store.isShared(principal.tenant(), id)
                ? Optional.empty()
                : store.find(principal.tenant(), id).filter(stored -> maySee(principal, stored));
    }

    private static boolean maySee(Principal principal, StoredEnvelope stored) {
        return principal.scopes().isEmpty()
                || stored.envelope().index().stream().map(IndexBlock::scope).anyMatch(principal::maySee);
    }
}
