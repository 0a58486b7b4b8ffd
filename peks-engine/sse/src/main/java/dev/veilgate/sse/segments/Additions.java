package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Documents that are being added: a segment of them, made once, and what dies by it in each state that they are added
 * to. A document that has the same digest somewhere already is dead in the new segment; one of another digest with its
 * name dies where it is.
 */
@Secret
final class Additions implements ManifestChain.Change {
    private final List<ArchivedDocument> documents;
    private final OpenSegments open;
    private final SegmentWriter writer;
    private final Map<BlobName, int[][]> looked = new HashMap<>();
    private @Nullable SealedSegment own;
    private int[] ownNumbers = {};
    private int added;
    private int replaced;

    /** Puts a segment into the store. */
    @FunctionalInterface
    interface SegmentWriter {
        /** Makes and stores it. */
        SealedSegment write(List<ArchivedDocument> documents) throws IOException;
    }

    /** @param documents no two of the same name */
    Additions(List<ArchivedDocument> documents, OpenSegments open, SegmentWriter writer) {
        this.documents = documents;
        this.open = open;
        this.writer = writer;
    }

    /** Documents that were added, those among them that took another's place. */
    int added() {
        return added;
    }

    int replaced() {
        return replaced;
    }

    @Override
    public @Nullable Manifest apply(Manifest base) throws IOException {
        boolean[] unchanged = new boolean[documents.size()];
        boolean[] changed = new boolean[documents.size()];
        Map<BlobName, int[]> dying = new HashMap<>();
        for (Manifest.LiveSegment segment : base.segments()) {
            compare(segment, unchanged, changed, dying);
        }
        added = 0;
        replaced = 0;
        for (int i = 0; i < documents.size(); i++) {
            added += unchanged[i] ? 0 : 1;
            replaced += !unchanged[i] && changed[i] ? 1 : 0;
        }
        if (added == 0) {
            return null;
        }
        SealedSegment segment = own(unchanged);
        List<Manifest.LiveSegment> after = new ArrayList<>(open.bury(base.segments(), dying));
        List<Manifest.LiveSegment> mine = open.bury(
                List.of(new Manifest.LiveSegment(segment.entry(), null)),
                Map.of(segment.entry().name(), ownDead(unchanged)));
        after.addAll(mine);
        return new Manifest(after);
    }

    /** Looks for the documents' names in a segment. */
    private void compare(
            Manifest.LiveSegment segment, boolean[] unchanged, boolean[] changed, Map<BlobName, int[]> dying)
            throws IOException {
        SegmentReader reader = open.reader(segment.entry());
        int[][] numbers = looked.get(segment.entry().name());
        if (numbers == null) {
            numbers = reader.numbers(
                    documents.stream().map(ArchivedDocument::name).toList());
            looked.put(segment.entry().name(), numbers);
        }
        DeadSet dead = open.dead(segment);
        IntStream.Builder old = IntStream.builder();
        for (int i = 0; i < numbers.length; i++) {
            for (int number : numbers[i]) {
                if (dead.contains(number)) {
                    continue;
                }
                if (Arrays.equals(
                        reader.document(number).digest(), documents.get(i).digest())) {
                    unchanged[i] = true;
                } else {
                    changed[i] = true;
                    old.add(number);
                }
            }
        }
        dying.put(segment.entry().name(), old.build().toArray());
    }

    private SealedSegment own(boolean[] unchanged) throws IOException {
        SealedSegment made = own;
        for (int i = 0; i < unchanged.length && made != null; i++) {
            if (!unchanged[i] && ownNumbers[i] < 0) {
                made = null; // it was there when the segment was made, and is there no more
            }
        }
        if (made == null) {
            List<ArchivedDocument> fresh = new ArrayList<>();
            ownNumbers = new int[documents.size()];
            for (int i = 0; i < documents.size(); i++) {
                ownNumbers[i] = unchanged[i] ? -1 : fresh.size();
                if (!unchanged[i]) {
                    fresh.add(documents.get(i));
                }
            }
            made = writer.write(fresh);
            own = made;
        }
        return made;
    }

    /** Numbers of documents that became the same elsewhere after the segment was made. */
    private int[] ownDead(boolean[] unchanged) {
        int[] dead = new int[documents.size()];
        int count = 0;
        for (int i = 0; i < dead.length; i++) {
            if (unchanged[i] && ownNumbers[i] >= 0) {
                dead[count++] = ownNumbers[i];
            }
        }
        return Arrays.copyOf(dead, count);
    }
}
