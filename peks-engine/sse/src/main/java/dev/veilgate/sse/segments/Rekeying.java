package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Objects under the next key, in the place of all that a state names. Nothing is done in a state that has more than was
 * rewritten, or something else.
 */
@Secret
final class Rekeying implements ManifestChain.Change {
    private final List<Rewritten> rewritten;
    private final OpenSegments open;
    private final OpenSegments into;
    private boolean made;

    /**
     * A change of keys.
     *
     * @param open of the objects that are there
     * @param into of those under the next key
     */
    Rekeying(List<Rewritten> rewritten, OpenSegments open, OpenSegments into) {
        this.rewritten = List.copyOf(rewritten);
        this.open = open;
        this.into = into;
    }

    /** Whether all was there in the last state that was looked at. */
    boolean made() {
        return made;
    }

    @Override
    public @Nullable Manifest apply(Manifest base) throws IOException {
        made = false;
        Manifest after = base;
        Set<BlobName> results = new HashSet<>();
        for (Rewritten each : rewritten) {
            after = each.merge(open, into).apply(after);
            if (after == null) {
                return null;
            }
            if (each.segment() != null) {
                results.add(each.segment().entry().name());
            }
        }
        made = after.segments().stream()
                .allMatch(segment -> results.contains(segment.entry().name()));
        return made ? after : null;
    }
}
