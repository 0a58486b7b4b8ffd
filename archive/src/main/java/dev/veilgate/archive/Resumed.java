package dev.veilgate.archive;

/**
 * Work of an earlier process that was cut off, and done when the archive was opened.
 *
 * @param exchanges exchanges of the scheme that were gone on with
 * @param added     documents that were added
 * @param deleted   documents that were deleted
 */
public record Resumed(int exchanges, int added, int deleted) {
    /** Whether an earlier process had left anything undone. */
    public boolean isAny() {
        return exchanges + added + deleted > 0;
    }
}
