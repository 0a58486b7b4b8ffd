package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Segments whose documents stand once more in an object under the next key. Has temporary files until it is closed: the
 * object can be put again if a sweep lets go of it before a state names it.
 *
 * @param of      the segments
 * @param segment the object; null if nothing lived
 */
@Secret
record Rewritten(DueMerge of, @Nullable SealedSegment segment) implements AutoCloseable {
    /** The change that puts the result in the place of the segments; numbers are made anew, as they are large. */
    Merge merge(OpenSegments open, OpenSegments into) {
        return new Merge(
                of.inputs(),
                of.dead(),
                SegmentMerger.newNumbers(of.readers(), of.dead()),
                segment == null ? null : segment.entry(),
                open,
                into);
    }

    @Override
    public void close() throws IOException {
        if (segment != null) {
            segment.close();
        }
    }

    /** Shows the segments only. */
    @Override
    public String toString() {
        return "Rewritten[" + of + "]";
    }
}
