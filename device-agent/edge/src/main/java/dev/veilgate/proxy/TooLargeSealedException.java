package dev.veilgate.proxy;

import java.io.Serial;

/** A mail became, sealed, longer than the next server takes. */
final class TooLargeSealedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private static final long MEGABYTE = 1_000_000;

    TooLargeSealedException(long bytes, long maxBytes) {
        super("sealed the message has " + bytes / MEGABYTE + " MB, and the next server takes " + maxBytes / MEGABYTE);
    }
}
