package dev.veilgate.gateway.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.gateway.store.SearchHit;
import dev.veilgate.gateway.store.SearchProgress;
import dev.veilgate.query.BlockTarget;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the interface shows, as JSON. */
final class SearchJson {
    private SearchJson() {}

    /** A hit. */
    @SuppressWarnings("ArrayRecordComponent")
    record Hit(
            UUID envelope,
            String digest,
            String sender,
            long sequence,
            Instant first,
            Instant last,
            boolean detached,
            int[] records) {
        static Hit of(SearchHit hit) {
            return new Hit(
                    hit.envelope(),
                    hit.digest(),
                    hit.sender(),
                    hit.sequence(),
                    hit.first(),
                    hit.last(),
                    hit.detached(),
                    hit.records().ordinals().toArray());
        }
    }

    /** A job: the outcome is "running" until it ends. */
    record Status(UUID id, Instant created, String outcome, long millis, SearchProgress progress) {
        static Status of(SearchJob job) {
            SearchJob.State state = job.state();
            return new Status(job.id(), job.created(), label(state.outcome()), state.millis(), state.progress());
        }

        private static String label(SearchJob.@Nullable Outcome outcome) {
            return outcome == null ? "running" : outcome.label();
        }
    }

    /**
     * Targets that a search has no trapdoor for, of which there are blocks in its scopes and range.
     *
     * @param targets at most {@link #MOST_NAMED}
     * @param more    how many there are beside these
     */
    record NotAsked(List<Target> targets, int more) {
        private static final int MOST_NAMED = 64;

        /** Which blocks. */
        record Target(String scheme, String parameters, String key, String scope, String epoch) {}

        static NotAsked of(List<BlockTarget> unasked) {
            return new NotAsked(
                    unasked.stream()
                            .limit(MOST_NAMED)
                            .map(target -> new Target(
                                    target.scheme(),
                                    target.parameters(),
                                    target.keyId().toString(),
                                    target.scope(),
                                    target.epoch()))
                            .toList(),
                    Math.max(0, unasked.size() - MOST_NAMED));
        }
    }

    /**
     * The last event of a stream.
     *
     * @param notAsked absent if the search did not go through all
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record End(
            long envelopes,
            long envelopesDone,
            long blocksTested,
            long blocksRemembered,
            long hits,
            long records,
            String outcome,
            long millis,
            @Nullable NotAsked notAsked) {
        static End of(SearchJob.State state, SearchJob.Outcome outcome) {
            SearchProgress last = state.progress();
            return new End(
                    last.envelopes(),
                    last.envelopesDone(),
                    last.blocksTested(),
                    last.blocksRemembered(),
                    last.hits(),
                    last.records(),
                    outcome.label(),
                    state.millis(),
                    state.unasked() == null ? null : NotAsked.of(state.unasked()));
        }
    }
}
