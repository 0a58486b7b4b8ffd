package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.util.List;

/** Segments of a state that are to be merged, as they were then. */
@Secret
public final class DueMerge {
    private final OpenSegments open;
    private final List<Manifest.LiveSegment> inputs;
    private final List<SegmentReader> readers;
    private final List<DeadSet> dead;

    /**
     * The three lists have one element a segment.
     *
     * @param open by which they are read
     */
    DueMerge(OpenSegments open, List<Manifest.LiveSegment> inputs, List<SegmentReader> readers, List<DeadSet> dead) {
        this.open = open;
        this.inputs = List.copyOf(inputs);
        this.readers = List.copyOf(readers);
        this.dead = List.copyOf(dead);
    }

    OpenSegments open() {
        return open;
    }

    List<Manifest.LiveSegment> inputs() {
        return inputs;
    }

    List<SegmentReader> readers() {
        return readers;
    }

    List<DeadSet> dead() {
        return dead;
    }

    /** Shows the number of segments only. */
    @Override
    public String toString() {
        return "DueMerge[" + inputs.size() + " segments, hidden]";
    }
}
