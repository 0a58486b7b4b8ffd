package dev.veilgate.envelope.smime;

import java.io.Serial;

/** A private key or certificates that mail must not be signed with. Says which rule they break; tells nothing of the key. */
public final class RefusedSignerException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    public RefusedSignerException(String message) {
        super(message);
    }
}
