package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.time.Instant;
import java.util.List;

/**
 * A segment of documents that is in the store, and that no state names before
 * {@link SegmentArchive#add(PreparedAddition)}.
 */
@Secret
public final class PreparedAddition {
    private final OpenSegments into;
    private final WantedNames names;
    private final List<byte[]> digests;
    private final long[] places;
    private final SealedSegment segment;
    private final Instant stored;

    /**
     * Documents by their numbers.
     *
     * @param into   under whose keys the segment is sealed
     * @param places nobody else has them
     * @param stored when it surely was in the store
     */
    PreparedAddition(
            OpenSegments into,
            WantedNames names,
            List<byte[]> digests,
            long[] places,
            SealedSegment segment,
            Instant stored) {
        this.into = into;
        this.names = names;
        this.digests = List.copyOf(digests);
        this.places = places;
        this.segment = segment;
        this.stored = stored;
    }

    /** Tells if it can become part of states that name segments of these. */
    boolean isFor(OpenSegments open) {
        return into == open;
    }

    /** The names of the documents, by their numbers in the segment. */
    WantedNames names() {
        return names;
    }

    /** The digest of a document, which nobody changes. */
    byte[] digest(int number) {
        return digests.get(number);
    }

    /** The place of a document in its file. */
    long placeInFile(int number) {
        return places[number];
    }

    SealedSegment segment() {
        return segment;
    }

    Instant stored() {
        return stored;
    }

    /** Shows the number of documents only. */
    @Override
    public String toString() {
        return "PreparedAddition[" + names.size() + " documents, hidden]";
    }
}
