package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.ConflictException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A segment that is being added, and what dies by it in each state that it is added to. A document that has the same
 * digest and place somewhere already is dead in the new segment; another with its name dies where it is. No state has a
 * segment twice: if a clone of this machine added the very same one, and some of it was replaced since, it is refused.
 */
@Secret
final class Additions implements ManifestChain.Change {
    private final PreparedAddition prepared;
    private final OpenSegments open;
    private final Map<BlobName, List<NameMatch>> looked = new HashMap<>();
    private int added;
    private int replaced;

    Additions(PreparedAddition prepared, OpenSegments open) {
        this.prepared = prepared;
        this.open = open;
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
        int count = prepared.names().size();
        boolean[] unchanged = new boolean[count];
        boolean[] changed = new boolean[count];
        Map<BlobName, int[]> dying = new HashMap<>();
        for (Manifest.LiveSegment segment : base.segments()) {
            compare(segment, unchanged, changed, dying);
        }
        added = 0;
        replaced = 0;
        for (int i = 0; i < count; i++) {
            added += unchanged[i] ? 0 : 1;
            replaced += !unchanged[i] && changed[i] ? 1 : 0;
        }
        if (added == 0) {
            return null;
        }
        SegmentEntry entry = prepared.segment().entry();
        if (base.segment(entry.name()).isPresent()) { // and what is dead in it stays dead
            throw new ConflictException(
                    "a machine that draws the same random numbers added the same documents; add them again");
        }
        List<Manifest.LiveSegment> after = new ArrayList<>(open.bury(base.segments(), dying));
        int[] dead = IntStream.range(0, count).filter(i -> unchanged[i]).toArray();
        after.addAll(open.bury(List.of(new Manifest.LiveSegment(entry, null)), Map.of(entry.name(), dead)));
        return new Manifest(after);
    }

    /** Looks for the documents' names in a segment. */
    private void compare(
            Manifest.LiveSegment segment, boolean[] unchanged, boolean[] changed, Map<BlobName, int[]> dying)
            throws IOException {
        List<NameMatch> matches = looked.get(segment.entry().name());
        if (matches == null) {
            matches = open.reader(segment.entry()).matches(prepared.names());
            looked.put(segment.entry().name(), matches);
        }
        DeadSet dead = open.dead(segment);
        IntStream.Builder old = IntStream.builder();
        for (NameMatch match : matches) {
            if (!dead.contains(match.number())) {
                boolean same = match.isSame(prepared.digest(match.place()), prepared.placeInFile(match.place()));
                (same ? unchanged : changed)[match.place()] = true;
                if (!same) {
                    old.add(match.number());
                }
            }
        }
        dying.put(segment.entry().name(), old.build().toArray());
    }
}
