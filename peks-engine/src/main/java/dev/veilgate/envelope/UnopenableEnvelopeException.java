package dev.veilgate.envelope;

/** No key fits, or the ciphertext was altered. Says which, never a secret. */
public final class UnopenableEnvelopeException extends Exception {
    private static final long serialVersionUID = 1L;

    public UnopenableEnvelopeException(String message) {
        super(message);
    }
}
