package dev.veilgate.sse.segments;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.BlobName;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * State of an archive: its segments with what is deleted in each. It never changes; a later one takes its place.
 *
 * @param segments in the order in which they were added; a merged one stands where its first input stood
 */
public record Manifest(List<LiveSegment> segments) {
    /** Most segments: merges keep their number near 8 for each eightfold of documents. */
    static final int MAX_SEGMENTS = 1 << 20;

    /** An archive without documents. */
    static final Manifest EMPTY = new Manifest(List.of());

    /** Copies. */
    public Manifest {
        segments = List.copyOf(segments);
    }

    /**
     * A segment that is searched.
     *
     * @param dead numbers of its documents that are deleted; null if none are
     */
    public record LiveSegment(SegmentEntry entry, @Nullable DeadEntry dead) {
        /** Documents that are not deleted. */
        public int documents() {
            return entry.layout().documents() - (dead == null ? 0 : dead.count());
        }
    }

    /**
     * Where a dead set stands.
     *
     * @param v     its keys are derived of this
     * @param count numbers in it
     */
    public record DeadEntry(BlobName name, byte[] v, int count) {}

    /** The segment of a name. */
    Optional<LiveSegment> segment(BlobName name) {
        return segments.stream()
                .filter(segment -> segment.entry().name().equals(name))
                .findFirst();
    }

    /** Names of all objects that this state needs. */
    public Set<BlobName> objects() {
        Set<BlobName> names = new LinkedHashSet<>();
        for (LiveSegment segment : segments) {
            names.add(segment.entry().name());
            if (segment.dead() != null) {
                names.add(segment.dead().name());
            }
        }
        return names;
    }

    /** Documents that are not deleted. */
    public long documents() {
        return segments.stream().mapToLong(LiveSegment::documents).sum();
    }

    byte[] encode() {
        CborWriter out = new CborWriter(1 << 12).array(segments.size());
        for (LiveSegment segment : segments) {
            out.array(segment.dead() == null ? 1 : 4);
            segment.entry().encode(out);
            if (segment.dead() != null) {
                out.bytes(HexFormat.of().parseHex(segment.dead().name().value()))
                        .bytes(segment.dead().v())
                        .integer(segment.dead().count());
            }
        }
        return out.toByteArray();
    }

    static Manifest decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("manifest", bytes);
        int count = in.array("segments", MAX_SEGMENTS);
        List<LiveSegment> segments = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int items = in.array("segment", 4);
            if (items != 1 && items != 4) {
                throw in.malformed("segment", "must have 1 or 4 items");
            }
            SegmentEntry entry = SegmentEntry.decode(in);
            segments.add(new LiveSegment(entry, items == 1 ? null : readDead(in, entry)));
        }
        in.end();
        return new Manifest(segments);
    }

    private static DeadEntry readDead(CborReader in, SegmentEntry entry) throws MalformedEncodingException {
        return new DeadEntry(
                new BlobName(HexFormat.of().formatHex(in.fixedBytes("dead.name", 32))),
                in.fixedBytes("dead.v", 32),
                in.uint("dead.count", entry.layout().documents()));
    }
}
