package dev.veilgate.console.rules;

import java.util.Optional;
import java.util.UUID;

/**
 * What the rules say of an intent.
 *
 * @param outcome      in a word
 * @param reason       for the user
 * @param rule         the name of the rule that decided; empty if none matched
 * @param approval     one that is there, for exactly this, and still good
 * @param hideKeywords whether the log gets keywords only sealed
 */
public record Decision(
        Outcome outcome, String reason, Optional<String> rule, Optional<UUID> approval, boolean hideKeywords) {
    /** In a word. */
    public enum Outcome {
        /** Go on. */
        ALLOWED,
        /** A second person has to agree first. */
        NEEDS_APPROVAL,
        /** No. */
        REFUSED
    }
}
