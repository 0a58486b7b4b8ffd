package dev.veilgate.agent.follow;

import java.io.IOException;

/** A file was cut since it was read last, so nothing can be said of what looks like it. */
final class CutException extends IOException {
    private static final long serialVersionUID = 1;

    CutException() {
        super("the file was cut meanwhile");
    }
}
