package dev.veilgate.sse;

import java.io.Serial;

/** A scheme cannot do what was asked, and does not pretend to: another one may. */
public final class RefusedException extends SseException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Says what cannot be done, and by which scheme. */
    public RefusedException(String message) {
        super(message);
    }
}
