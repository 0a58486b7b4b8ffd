package dev.veilgate.archive;

import java.io.IOException;
import java.io.Serial;

/** A folder is no archive, or one that cannot be used. Its message says why and holds no word of a document. */
public final class UnusableArchiveException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnusableArchiveException(String message) {
        super(message);
    }

    UnusableArchiveException(String message, Throwable cause) {
        super(message, cause);
    }
}
