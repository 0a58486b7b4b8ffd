package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.time.Instant;

/**
 * A merged segment that is in the store, and that no state names before {@link SegmentArchive#merge(PreparedMerge)}.
 * Has temporary files until it is closed.
 */
@Secret
public final class PreparedMerge implements AutoCloseable {
    private final DueMerge of;
    private final Merged merged;
    private final Instant stored;

    /** @param stored when it surely was in the store, if it has documents; else it is not there */
    PreparedMerge(DueMerge of, Merged merged, Instant stored) {
        this.of = of;
        this.merged = merged;
        this.stored = stored;
    }

    DueMerge of() {
        return of;
    }

    Merged merged() {
        return merged;
    }

    /** Tells if no document lived. */
    boolean isEmpty() {
        return merged.segment().entry().layout().documents() == 0;
    }

    Instant stored() {
        return stored;
    }

    /** Removes the temporary files. */
    @Override
    public void close() throws IOException {
        merged.close();
    }

    /** Shows the segment's name only. */
    @Override
    public String toString() {
        return "PreparedMerge[" + merged + "]";
    }
}
