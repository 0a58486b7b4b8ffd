package dev.veilgate.envelope;

import java.util.List;

/** No key fits, or the ciphertext was altered. Says which, never a secret. */
public final class UnopenableEnvelopeException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What would have to hold for a reader to open it; texts of a policy, which is public. */
    private final transient List<String> lacking;

    /** Of an envelope that nobody could open, or not with these keys. */
    public UnopenableEnvelopeException(String message) {
        this(message, List.of());
    }

    UnopenableEnvelopeException(String message, List<String> lacking) {
        super(message);
        this.lacking = List.copyOf(lacking);
    }

    /** The attributes and comparisons of its policy that the reader's key does not satisfy; some of them would do. Empty if that is not the reason. */
    public List<String> lacking() {
        return lacking;
    }
}
