package dev.veilgate.console.rules;

import dev.veilgate.console.http.ProblemException;
import java.util.Optional;
import java.util.UUID;

/**
 * What the rules say of an intent.
 *
 * @param outcome      in a word
 * @param reason       for the user
 * @param rule         the name of the rule that decided; empty if none matched
 * @param approval     one that is there, for exactly this, and still good; of what was authorised and needs approval, the request that waits
 * @param hideKeywords whether the log gets keywords only sealed
 * @param logNumber    of the entry in the issuing log; 0 if nothing was authorised
 */
public record Decision(
        Outcome outcome,
        String reason,
        Optional<String> rule,
        Optional<UUID> approval,
        boolean hideKeywords,
        long logNumber) {
    /** In a word. */
    public enum Outcome {
        /** Go on. */
        ALLOWED,
        /** A second person has to agree first. */
        NEEDS_APPROVAL,
        /** No. */
        REFUSED
    }

    /** The answer to who was refused. */
    public ProblemException refusal() {
        return rule.map(name -> ProblemException.refused(reason, name))
                .orElseGet(() -> ProblemException.forbidden(reason));
    }

    Decision at(long number) {
        return new Decision(outcome, reason, rule, approval, hideKeywords, number);
    }
}
