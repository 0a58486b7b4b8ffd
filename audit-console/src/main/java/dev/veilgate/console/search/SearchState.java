package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How a search stands; of the interface. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SearchState(
        UUID id,
        String query,
        String scope,
        boolean mail,
        @Nullable Instant from,
        @Nullable Instant to,
        String state,
        @Nullable String problem,
        Instant started,
        long millis,
        @Nullable Long issueMillis,
        @Nullable Long firstRowMillis,
        long envelopes,
        long envelopesDone,
        long blocksTested,
        long blocksRemembered,
        double perSecond,
        @Nullable Long remainingMillis,
        long hits,
        long rows,
        long unreadable,
        long dropped,
        int trapdoors,
        int issued,
        List<String> leakage,
        List<String> notSearched) {
    /** Whether nothing of it changes any more. */
    boolean hasEnded() {
        return !state.equals(SearchJob.ISSUING) && !state.equals(SearchJob.RUNNING);
    }

    @Override
    public String toString() {
        return "SearchState[" + id + ", " + state + "]";
    }
}
