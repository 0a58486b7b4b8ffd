package dev.veilgate.archive;

import java.io.IOException;
import java.io.Serial;

/** The key of an archive is missing, damaged, that of another archive, or readable by others. */
public final class UnusableKeyException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnusableKeyException(String message) {
        super(message);
    }

    UnusableKeyException(String message, Throwable cause) {
        super(message, cause);
    }
}
