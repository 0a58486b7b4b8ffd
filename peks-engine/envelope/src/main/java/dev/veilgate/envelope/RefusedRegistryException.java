package dev.veilgate.envelope;

import java.io.Serial;

/** The sender registry is well formed but not to be used: another authority, another tenant, altered, rolled back. The message says what to do. */
public final class RefusedRegistryException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** @param message why, and what to do */
    public RefusedRegistryException(String message) {
        super(message);
    }
}
