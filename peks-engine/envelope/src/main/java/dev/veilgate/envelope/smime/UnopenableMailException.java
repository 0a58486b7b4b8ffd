package dev.veilgate.envelope.smime;

/** A sealed mail that the given key does not open, or that was altered. Says which of both where that can be told, never a secret. */
public final class UnopenableMailException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnopenableMailException(String message) {
        super(message);
    }
}
