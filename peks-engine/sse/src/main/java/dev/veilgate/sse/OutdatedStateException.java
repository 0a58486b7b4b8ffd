package dev.veilgate.sse;

import java.io.Serial;

/**
 * An owner's state is older than what the server has seen of it: it was restored from a copy, or a second device has
 * one. Nothing helps but the newer state; with this one each operation ends so.
 */
public final class OutdatedStateException extends SseException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Says how that shows. */
    public OutdatedStateException(String message) {
        super(message);
    }
}
