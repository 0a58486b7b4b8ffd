package dev.veilgate.gateway.store;

import dev.veilgate.query.BlockTarget;
import java.util.List;

/** Takes what a search finds while it runs. */
public interface SearchSink {
    /** An envelope that was found. May block, which holds the search back. */
    void hit(SearchHit hit);

    /** Now and then, and once at the end. */
    void progress(SearchProgress progress);

    /**
     * Once, when a search has gone through all: targets in its scopes and range that it has no trapdoor for, and of
     * which there are blocks.
     */
    default void unasked(List<BlockTarget> targets) {}
}
