package dev.veilgate.sse.segments;

import dev.veilgate.sse.Message;
import java.io.Closeable;
import java.io.IOException;

/**
 * A segment that was made and is not kept yet.
 *
 * @param entry  for the manifest
 * @param object its bytes, in memory or in temporary files that are there until this is closed
 */
public record SealedSegment(SegmentEntry entry, Message.Body object) implements AutoCloseable {
    /** Removes temporary files, if there are any. */
    @Override
    public void close() throws IOException {
        if (object instanceof Closeable files) {
            files.close();
        }
    }
}
