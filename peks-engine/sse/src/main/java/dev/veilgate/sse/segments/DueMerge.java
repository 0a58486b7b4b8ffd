package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.util.List;

/** Segments of a state that are to be merged, as they were then. */
@Secret
public final class DueMerge {
    private final List<Manifest.LiveSegment> inputs;
    private final List<SegmentReader> readers;
    private final List<DeadSet> dead;

    /** The three lists have one element a segment. */
    DueMerge(List<Manifest.LiveSegment> inputs, List<SegmentReader> readers, List<DeadSet> dead) {
        this.inputs = List.copyOf(inputs);
        this.readers = List.copyOf(readers);
        this.dead = List.copyOf(dead);
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
