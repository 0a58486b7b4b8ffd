package dev.veilgate.envelope;

import dev.veilgate.abe.Label;
import dev.veilgate.abe.UnsatisfiedPolicyException;
import dev.veilgate.abe.policy.Policy;
import dev.veilgate.envelope.UnopenableEnvelopeException.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why an envelope could not be opened, so far. */
final class OpeningFailure {
    private boolean named;
    private boolean uncommitted;
    private int distance = Integer.MAX_VALUE;
    private @Nullable Label nearest;
    private @Nullable Label wanted;

    /** A key here is one that it is wrapped for. */
    void named() {
        named = true;
    }

    /** A content key was found that the envelope does not commit to. */
    void uncommitted() {
        uncommitted = true;
    }

    /** Of several keys the one is kept that comes nearest; what it lacks is worked out at the end, once. */
    void unsatisfied(Label key, Label ciphertext, int lacking) {
        if (lacking < distance) {
            distance = lacking;
            nearest = key;
            wanted = ciphertext;
        }
    }

    boolean isExplained() {
        return named || uncommitted || nearest != null;
    }

    UnopenableEnvelopeException of(Envelope envelope, boolean reached) {
        if (reached) {
            return new UnopenableEnvelopeException(
                    Reason.WORK_LIMIT,
                    "work-limit: " + envelope.id() + " asks for more work than the " + OpeningWork.MAX_STEPS
                            + " steps that an envelope may take; nobody seals like that but to hold up whoever opens it",
                    List.of());
        }
        if (uncommitted) {
            return new UnopenableEnvelopeException(
                    "the content key of " + envelope.id() + " is not the one that the envelope commits to");
        }
        if (named) {
            return new UnopenableEnvelopeException(
                    "the wrapped key or the header of " + envelope.id() + " was altered");
        }
        if (nearest != null && wanted != null && distance > 0) {
            UnsatisfiedPolicyException unsatisfied = UnsatisfiedPolicyException.of(nearest, wanted);
            return new UnopenableEnvelopeException(
                    Reason.UNSATISFIED,
                    envelope.id() + ": " + unsatisfied.getMessage(),
                    unsatisfied.lacking().stream().map(Policy::toString).toList());
        }
        return new UnopenableEnvelopeException(
                Reason.NO_KEY,
                "no key here opens " + envelope.id() + ", which is wrapped for "
                        + envelope.wraps().stream()
                                .limit(4)
                                .map(WrappedKey::keyId)
                                .toList(),
                List.of());
    }
}
