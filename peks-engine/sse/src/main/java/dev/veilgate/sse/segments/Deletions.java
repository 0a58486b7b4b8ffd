package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Documents that are being deleted, by their names, wherever a state has them. */
@Secret
final class Deletions implements ManifestChain.Change {
    private final WantedNames names;
    private final OpenSegments open;
    private int deleted;

    Deletions(Collection<String> names, OpenSegments open) {
        this.names = new WantedNames(names.stream().distinct().toList());
        this.open = open;
    }

    /** Documents that were there, and are deleted. */
    int deleted() {
        return deleted;
    }

    @Override
    public @Nullable Manifest apply(Manifest base) throws IOException {
        Map<BlobName, int[]> dying = new HashMap<>();
        deleted = 0;
        for (Manifest.LiveSegment segment : base.segments()) {
            SegmentReader reader = open.reader(segment.entry());
            DeadSet dead = open.dead(segment);
            int[] numbers = reader.matches(names).stream()
                    .mapToInt(NameMatch::number)
                    .filter(number -> !dead.contains(number))
                    .toArray();
            dying.put(segment.entry().name(), numbers);
            deleted += numbers.length;
        }
        return deleted == 0 ? null : new Manifest(open.bury(base.segments(), dying));
    }
}
