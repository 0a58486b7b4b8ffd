package dev.veilgate.sse.segments;

import java.io.IOException;

/**
 * Result of a merge.
 *
 * @param segment    the documents of all inputs that were not dead
 * @param newNumbers their numbers in it, by input and old number; -1 for the dead. Documents that die while inputs
 *                   were merged are found by it
 */
public record Merged(SealedSegment segment, int[][] newNumbers) implements AutoCloseable {
    /** Removes temporary files. */
    @Override
    public void close() throws IOException {
        segment.close();
    }

    /** Shows the segment only. */
    @Override
    public String toString() {
        return "Merged[" + segment.entry() + "]";
    }
}
