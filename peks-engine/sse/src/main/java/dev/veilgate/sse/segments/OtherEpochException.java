package dev.veilgate.sse.segments;

import dev.veilgate.sse.SseException;

/**
 * A state of an archive is of another epoch than the device's key: of a later one, so that the device needs the new
 * key; or of an earlier one, so that somebody wrote with a key that the archive has no more.
 */
public final class OtherEpochException extends SseException {
    private static final long serialVersionUID = 1L;

    private final boolean newer;

    private OtherEpochException(String message, boolean newer) {
        super(message);
        this.newer = newer;
    }

    static OtherEpochException newer(long since) {
        return new OtherEpochException(
                "the archive has had a new key since state " + since
                        + ", and this device has it not: restore it from the"
                        + " device that made it. If that was this one, just now, try again",
                true);
    }

    static OtherEpochException older(long version) {
        return new OtherEpochException(
                "state " + version + " of the archive is by a key that this device knows to be replaced: somebody who"
                        + " has the old key wrote it, or the folder is a copy from before. Nothing was changed",
                false);
    }

    /** True if the archive has a later key, which the device has to get; false if the state is by an earlier one. */
    public boolean isNewer() {
        return newer;
    }
}
