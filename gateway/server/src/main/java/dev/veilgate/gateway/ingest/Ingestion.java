package dev.veilgate.gateway.ingest;

import java.util.concurrent.CompletableFuture;

/**
 * The one way in. Every channel hands its submissions here and acknowledges to its client only when the future is complete: the submission
 * was checked and is durable. Nothing that the future says, nor when, depends on a search or a route.
 */
public interface Ingestion {
    /** Phase of ingestion in the application's life: channels have a later one, so that they start after it and stop before it. */
    int LIFECYCLE_PHASE = 0;

    /** Phase of channels. */
    int CHANNELS_PHASE = 1000;

    /**
     * Checks on the caller's thread, then queues for the next group commit. Never blocks on the disk; blocks for a moment when very much is
     * queued, which slows the channel down.
     *
     * @return completes with a receipt once durable, or exceptionally with a {@link RefusedException}; never with anything else
     */
    CompletableFuture<Receipt> submit(Submission submission);
}
