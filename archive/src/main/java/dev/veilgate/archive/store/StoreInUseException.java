package dev.veilgate.archive.store;

import java.io.IOException;
import java.io.Serial;

/** A file of cells is open already: one process has it at a time. */
public final class StoreInUseException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    StoreInUseException(String message, Throwable cause) {
        super(message, cause);
    }
}
