package dev.veilgate.sse;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** An operation on an archive that was not done. Its message says what to do and holds no word, no key and no text. */
public class SseException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** For a reason that the message says. */
    public SseException(String message) {
        this(message, null);
    }

    /** For a reason that the message says, with what lies beneath. */
    public SseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
