package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.reading.OtherTimes;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a search stands; of the interface.
 *
 * @param signed          of which kinds of signers mails are asked for; absent for all
 * @param otherwiseSigned mails that were found and are not of these
 * @param unchecked       mails that may be what was searched for, and whose attachments take too long to be read; no
 *                        rows
 * @param undated         mails that were found and have no date, or one that cannot be
 * @param incomplete      why the result is not all that was asked for; none if it is, absent before its end
 * @param recheck         how the recheck of what was not found stands; absent before the search's end
 * @param others what was found and is of other times than were asked for; absent if there is none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record SearchState(
        UUID id,
        String query,
        String scope,
        boolean mail,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable List<String> senders,
        @Nullable List<String> signed,
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
        long envelopesFound,
        long rows,
        long unreadable,
        long unchecked,
        long dropped,
        @Nullable Others others,
        long otherwiseSigned,
        long undated,
        int trapdoors,
        int issued,
        List<String> leakage,
        List<String> notSearched,
        @Nullable List<Incompleteness.Reason> incomplete,
        @Nullable RecheckState recheck) {
    /**
     * What a search found of other times than it asked for.
     *
     * @param earliest of their times
     * @param latest   of their times
     */
    record Others(long count, Instant earliest, Instant latest) {
        static @Nullable Others of(OtherTimes others) {
            return others.isEmpty() ? null : new Others(others.count(), others.earliest(), others.latest());
        }
    }

    /** With the reasons why it is not complete. */
    SearchState because(List<Incompleteness.Reason> reasons) {
        return new SearchState(
                id,
                query,
                scope,
                mail,
                from,
                to,
                senders,
                signed,
                state,
                problem,
                started,
                millis,
                issueMillis,
                firstRowMillis,
                envelopes,
                envelopesDone,
                blocksTested,
                blocksRemembered,
                perSecond,
                remainingMillis,
                envelopesFound,
                rows,
                unreadable,
                unchecked,
                dropped,
                others,
                otherwiseSigned,
                undated,
                trapdoors,
                issued,
                leakage,
                notSearched,
                reasons,
                recheck);
    }

    /** Whether nothing of it changes any more. */
    boolean hasEnded() {
        return !state.equals(SearchJob.ISSUING) && !state.equals(SearchJob.RUNNING);
    }

    @Override
    public String toString() {
        return "SearchState[" + id + ", " + state + "]";
    }
}
