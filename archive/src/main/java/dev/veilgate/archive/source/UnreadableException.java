package dev.veilgate.archive.source;

import java.io.IOException;
import java.io.Serial;

/** A file that is not what it should be; the message says why in plain words, without any of its content. */
final class UnreadableException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    UnreadableException(String message) {
        super(message);
    }
}
