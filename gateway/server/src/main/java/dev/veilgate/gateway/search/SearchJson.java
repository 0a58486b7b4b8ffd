package dev.veilgate.gateway.search;

import dev.veilgate.gateway.store.SearchHit;
import dev.veilgate.gateway.store.SearchProgress;
import java.time.Instant;
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

    /** The last event of a stream. */
    record End(
            long envelopes,
            long envelopesDone,
            long blocksTested,
            long blocksRemembered,
            long hits,
            long records,
            String outcome,
            long millis) {
        static End of(SearchProgress last, SearchJob.Outcome outcome, long millis) {
            return new End(
                    last.envelopes(),
                    last.envelopesDone(),
                    last.blocksTested(),
                    last.blocksRemembered(),
                    last.hits(),
                    last.records(),
                    outcome.label(),
                    millis);
        }
    }
}
