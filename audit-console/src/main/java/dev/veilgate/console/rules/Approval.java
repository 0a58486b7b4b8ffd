package dev.veilgate.console.rules;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for approval, and what became of it.
 *
 * @param expires   until when it can be decided, or, once approved, used
 * @param hours     for which an approval holds
 * @param logNumber of the request in the issuing log
 */
record Approval(
        UUID id,
        String requester,
        Instant requested,
        Instant expires,
        State state,
        String rule,
        int hours,
        Asked asked,
        long logNumber,
        String reason,
        @Nullable String decidedBy,
        @Nullable Instant decided,
        @Nullable String decision) {
    enum State {
        PENDING,
        APPROVED,
        REFUSED,
        EXPIRED;

        @JsonValue
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** As it is at a time: what nobody decided, or used, in time has expired. */
    State stateAt(Instant now) {
        boolean ends = state == State.PENDING || state == State.APPROVED;
        return ends && !now.isBefore(expires) ? State.EXPIRED : state;
    }
}
