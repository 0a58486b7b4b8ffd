package dev.veilgate.archive.store;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A file of cells was altered by something else than its store. */
public final class DamagedStoreException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    DamagedStoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
