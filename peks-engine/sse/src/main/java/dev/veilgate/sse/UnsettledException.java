package dev.veilgate.sse;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * A change of which it is not known whether it was made, or which may be made yet. Whoever asked for it settles that by
 * doing the same again, which does no harm if it was made. Any other exception of a change says that it was not made
 * and will not be.
 */
public final class UnsettledException extends SseException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Says what is open, with the failure that left it so. */
    public UnsettledException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
