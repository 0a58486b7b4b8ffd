package dev.veilgate.console.rules;

import dev.veilgate.console.query.QueryTerms;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for approval, as the interface has it: for who asked, and for approvers.
 *
 * @param state     pending, approved, refused, expired
 * @param purpose   search, route
 * @param mine      whether who looks is who asked
 * @param query     as typed
 * @param mail      whether it was read as a query of mails
 * @param terms     how the query is understood; absent while the keys are locked, of a request that is over, and if it is one that is refused by now
 * @param notes     beside the terms; why they are absent
 * @param senders   whose envelopes alone are searched; empty for all
 * @param route     what it is to do; absent of searches
 * @param reason    the requester's
 * @param decision  the approver's reason
 */
public record ApprovalView(
        UUID id,
        String state,
        String purpose,
        String requester,
        Instant requested,
        Instant expires,
        boolean mine,
        String query,
        String scope,
        boolean mail,
        @Nullable List<QueryTerms.Term> terms,
        List<String> notes,
        List<String> senders,
        List<String> epochs,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable AskedRoute route,
        String reason,
        String rule,
        @Nullable String decidedBy,
        @Nullable Instant decided,
        @Nullable String decision) {
    static ApprovalView of(Approval approval, Optional<QueryTerms> understood, String looking, Instant now) {
        Asked asked = approval.asked();
        return new ApprovalView(
                approval.id(),
                approval.stateAt(now).label(),
                asked.purpose(),
                approval.requester(),
                approval.requested(),
                approval.expires(),
                approval.requester().equals(looking),
                asked.query(),
                asked.scope(),
                asked.mail(),
                understood
                        .map(QueryTerms::terms)
                        .filter(terms -> !terms.isEmpty())
                        .orElse(null),
                understood.map(QueryTerms::notes).orElse(List.of()),
                asked.senders(),
                asked.epochs(),
                asked.from(),
                asked.to(),
                AskedRoute.of(asked.about()).orElse(null),
                approval.reason(),
                approval.rule(),
                approval.decidedBy(),
                approval.decided(),
                approval.decision());
    }

    @Override
    public String toString() {
        return "ApprovalView[" + id + ", " + state + "]";
    }
}
