package dev.veilgate.sse;

import java.io.Serial;

/** State that an operation stands on was changed by another one: it is begun again. */
public final class ConflictException extends SseException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Says what was changed. */
    public ConflictException(String message) {
        super(message);
    }
}
