package dev.veilgate.archive;

/**
 * Sizes of an archive.
 *
 * @param documents how many it has
 * @param owner     cells and bytes of the owner's side, names and words of documents among them
 * @param server    cells and bytes of the server's side
 */
public record ArchiveStatistics(long documents, Side owner, Side server) {
    /** Cells of one side and bytes of their file. */
    public record Side(long cells, long bytes) {}
}
