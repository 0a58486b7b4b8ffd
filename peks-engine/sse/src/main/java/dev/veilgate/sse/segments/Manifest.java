package dev.veilgate.sse.segments;

import dev.veilgate.encoding.CborReader;
import dev.veilgate.encoding.CborWriter;
import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.sse.BlobName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * State of an archive: its segments with what is deleted in each, and what its writers did last. It never changes; a
 * later one takes its place.
 *
 * @param segments in the order in which they were added; a merged one stands where its first input stood
 * @param writers  the last of each, the latest at the end
 */
public record Manifest(List<LiveSegment> segments, List<LastCommit> writers) {
    /** Most segments: merges keep their number near 8 for each eightfold of documents. */
    static final int MAX_SEGMENTS = 1 << 20;

    /** Most writers that are remembered. One that comes back later does not know whether its last commit was made. */
    static final int MAX_WRITERS = 256;

    /** An archive without documents. */
    static final Manifest EMPTY = new Manifest(List.of(), List.of());

    /** Copies. */
    public Manifest {
        segments = List.copyOf(segments);
        writers = List.copyOf(writers);
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

    /**
     * The last commit of a writer, which tells it whether a commit whose answer was lost was made.
     *
     * @param writer 16 random bytes, drawn when it opened the archive
     * @param commit counts its commits from 1
     */
    public record LastCommit(byte[] writer, long commit) {
        static final int WRITER_BYTES = 16;
    }

    /** Whether a writer's commit is in this state, or was in one that this descends from. */
    boolean has(byte[] writer, long commit) {
        return writers.stream().anyMatch(last -> Arrays.equals(last.writer(), writer) && last.commit() >= commit);
    }

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

    /** The same with a writer's last commit. */
    Manifest committedBy(byte[] writer, long commit) {
        List<LastCommit> last = new ArrayList<>(writers);
        last.removeIf(other -> Arrays.equals(other.writer(), writer));
        last.add(new LastCommit(writer, commit));
        return new Manifest(segments, last.subList(Math.max(0, last.size() - MAX_WRITERS), last.size()));
    }

    /** The same with other segments. */
    Manifest with(List<LiveSegment> changed) {
        return new Manifest(changed, writers);
    }

    byte[] encode() {
        CborWriter out = new CborWriter(1 << 12).array(2).array(segments.size());
        for (LiveSegment segment : segments) {
            out.array(segment.dead() == null ? 1 : 4);
            segment.entry().encode(out);
            if (segment.dead() != null) {
                out.bytes(HexFormat.of().parseHex(segment.dead().name().value()))
                        .bytes(segment.dead().v())
                        .integer(segment.dead().count());
            }
        }
        out.array(writers.size());
        for (LastCommit last : writers) {
            out.array(2).bytes(last.writer()).integer(last.commit());
        }
        return out.toByteArray();
    }

    static Manifest decode(byte[] bytes) throws MalformedEncodingException {
        CborReader in = new CborReader("manifest", bytes);
        requireItems(in, "manifest", 2);
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
        int last = in.array("writers", MAX_WRITERS);
        List<LastCommit> writers = new ArrayList<>();
        for (int i = 0; i < last; i++) {
            requireItems(in, "writer", 2);
            writers.add(new LastCommit(
                    in.fixedBytes("writer.id", LastCommit.WRITER_BYTES), in.unsigned("writer.commit", Long.MAX_VALUE)));
        }
        in.end();
        return new Manifest(segments, writers);
    }

    private static DeadEntry readDead(CborReader in, SegmentEntry entry) throws MalformedEncodingException {
        return new DeadEntry(
                new BlobName(HexFormat.of().formatHex(in.fixedBytes("dead.name", 32))),
                in.fixedBytes("dead.v", 32),
                in.uint("dead.count", entry.layout().documents()));
    }

    private static void requireItems(CborReader in, String field, int items) throws MalformedEncodingException {
        if (in.array(field, items) != items) {
            throw in.malformed(field, "must have " + items + " items");
        }
    }
}
