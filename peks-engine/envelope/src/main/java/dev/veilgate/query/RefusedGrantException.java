package dev.veilgate.query;

import java.io.Serial;

/** A grant is well formed but does not permit the search. The message says why. */
public final class RefusedGrantException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** @param message why */
    public RefusedGrantException(String message) {
        super(message);
    }
}
