package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Segments that are taken out of a state because they, or the numbers of what is deleted in them, are missing, altered
 * or unreadable. With the latter alone deleted documents would be found again.
 */
@Secret
final class Repair implements ManifestChain.Change {
    private final SegmentCheck check;
    private List<SegmentArchive.Lost> lost = List.of();

    Repair(SegmentCheck check) {
        this.check = check;
    }

    /** Segments of the state that was looked at last which are taken out. */
    List<SegmentArchive.Lost> lost() {
        return lost;
    }

    @Override
    public @Nullable Manifest apply(Manifest base) throws IOException {
        List<SegmentArchive.Lost> found = new ArrayList<>();
        List<Manifest.LiveSegment> sound = new ArrayList<>();
        for (Manifest.LiveSegment segment : base.segments()) {
            List<String> faults = check.faults(segment);
            if (faults.isEmpty()) {
                sound.add(segment);
            } else {
                found.add(new SegmentArchive.Lost(faults.getFirst(), segment.documents()));
            }
        }
        lost = found;
        return found.isEmpty() ? null : new Manifest(sound);
    }
}
