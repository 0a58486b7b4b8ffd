package dev.veilgate.envelope;

import java.util.List;

/** No key fits, or the ciphertext was altered. Says which, never a secret. */
public final class UnopenableEnvelopeException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Why it does not open; what else could be tried depends on it. */
    public enum Reason {
        /** None of the keys here is one that it was sealed for. */
        NO_KEY,
        /** Its policies ask for attributes that no key here has. */
        UNSATISFIED,
        /** It was altered, or belongs to something else. */
        ALTERED,
        /** It asks for more than {@link OpeningWork}: it was made to hold up whoever opens it. */
        WORK_LIMIT
    }

    private final Reason reason;
    /** What would have to hold for a reader to open it; texts of a policy, which is public. */
    private final transient List<String> lacking;

    /** Of an envelope that was altered, or is not what it should be. */
    public UnopenableEnvelopeException(String message) {
        this(Reason.ALTERED, message, List.of());
    }

    UnopenableEnvelopeException(Reason reason, String message, List<String> lacking) {
        super(message);
        this.reason = reason;
        this.lacking = List.copyOf(lacking);
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }

    /** The attributes and comparisons of its policy that the reader's key does not satisfy; some of them would do. Empty if that is not the reason. */
    public List<String> lacking() {
        return lacking;
    }
}
