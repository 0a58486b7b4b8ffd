package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the recheck of a search stands: random envelopes of senders' chains in which the search found nothing, fetched
 * and tested by the console. Of signed envelopes alone, and not of the end of a chain that no promise covers.
 *
 * @param state         waiting, running, done, failed or off
 * @param reason        why it failed, ended before all were asked for, or is off
 * @param numbers       numbers of the range in which nothing was found
 * @param drawn         how many of them were drawn
 * @param tested        how many of these were given and tested
 * @param caught        how many of these match, though the search did not find them
 * @param notTested     those that were asked for and not tested, the first of them
 * @param moreNotTested how many there are beside these
 * @param odds          probability that of some hidden envelopes one was asked for
 * @param unsure        numbers among those of the range, since it is not known when they were sealed
 * @param uneven        senders whose clocks went back, so that where their range ends is not sure: the first of them
 * @param unchecked     registered senders of whose chains nothing was ever seen: the first of them
 * @param moreUnchecked how many there are beside these
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RecheckState(
        String state,
        @Nullable String reason,
        long numbers,
        int drawn,
        int tested,
        int caught,
        List<NotTested> notTested,
        int moreNotTested,
        List<HiddenOdds> odds,
        long unsure,
        List<String> uneven,
        List<String> unchecked,
        long moreUnchecked) {
    static final String WAITING = "waiting";
    static final String RUNNING = "running";
    static final String DONE = "done";
    static final String FAILED = "failed";
    static final String OFF = "off";

    /** Most numbers and senders that are named. */
    static final int MOST_NAMED = 64;

    /**
     * A number that was asked for and not tested.
     *
     * @param reason not-given, promised, no-answer, not-signed, retention, late or unreadable
     */
    record NotTested(String sender, long number, String reason) {}

    /** A state of which nothing else is known. */
    static RecheckState of(String state, @Nullable String reason) {
        return new RecheckState(state, reason, 0, 0, 0, 0, List.of(), 0, List.of(), 0, List.of(), List.of(), 0);
    }

    /** Whether it still goes on. */
    boolean isPending() {
        return state.equals(WAITING) || state.equals(RUNNING);
    }

    @Override
    public String toString() {
        return "RecheckState[" + state + "]";
    }
}
