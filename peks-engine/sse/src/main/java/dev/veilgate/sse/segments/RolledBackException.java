package dev.veilgate.sse.segments;

import dev.veilgate.sse.SseException;

/**
 * A store shows a state of an archive that does not descend from one that this device has seen: it was restored from a
 * copy, or shows different devices different states.
 */
public final class RolledBackException extends SseException {
    private static final long serialVersionUID = 1L;

    private final long seen;
    private final long found;

    RolledBackException(long seen, long found) {
        super(message(seen, found));
        this.seen = seen;
        this.found = found;
    }

    /** The same, with what keeps the history from being followed. */
    RolledBackException(long seen, long found, SseException cause) {
        super(message(seen, found), cause);
        this.seen = seen;
        this.found = found;
    }

    private static String message(long seen, long found) {
        return "the archive was at state " + seen + " when this device saw it last; what is there now is state " + found
                + " of another history. Its folder was restored from a copy, or somebody changed it. Its owner has to"
                + " accept that";
    }

    /** The state that this device has seen, by its number. */
    public long seen() {
        return seen;
    }

    /** The newest state that is there now. */
    public long found() {
        return found;
    }
}
