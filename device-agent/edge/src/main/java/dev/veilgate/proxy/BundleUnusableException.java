package dev.veilgate.proxy;

import java.io.IOException;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** There is no public bundle to seal under. The message says why, and what to do. */
final class BundleUnusableException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    BundleUnusableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
