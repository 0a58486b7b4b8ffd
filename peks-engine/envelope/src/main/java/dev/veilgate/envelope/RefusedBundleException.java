package dev.veilgate.envelope;

import java.io.Serial;

/** The bundle is well formed but not to be used: another authority, altered, expired, not yet valid, rolled back. The message says what to do. */
public final class RefusedBundleException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** @param message why, and what to do */
    public RefusedBundleException(String message) {
        super(message);
    }
}
