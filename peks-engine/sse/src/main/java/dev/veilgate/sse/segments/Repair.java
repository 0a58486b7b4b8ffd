package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Segments that are taken out of a state because they, or the numbers of what is deleted in them, are missing or
 * altered. With the latter alone deleted documents would be found again.
 */
@Secret
final class Repair implements ManifestChain.Change {
    private final BlobStore objects;
    private final Map<BlobName, Optional<String>> faults = new HashMap<>();
    private List<SegmentArchive.Lost> lost = List.of();

    Repair(BlobStore objects) {
        this.objects = objects;
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
            Optional<String> fault = fault(segment);
            if (fault.isPresent()) {
                found.add(new SegmentArchive.Lost(fault.get(), segment.documents()));
            } else {
                sound.add(segment);
            }
        }
        lost = found;
        return found.isEmpty() ? null : new Manifest(sound);
    }

    private Optional<String> fault(Manifest.LiveSegment segment) throws IOException {
        Optional<String> own = fault(segment.entry().name());
        Manifest.DeadEntry dead = segment.dead();
        return own.isPresent() || dead == null ? own : fault(dead.name());
    }

    private Optional<String> fault(BlobName name) throws IOException {
        Optional<String> known = faults.get(name);
        if (known == null) {
            known = of(objects, name);
            faults.put(name, known);
        }
        return known;
    }

    /** Says what is wrong with an object; empty if nothing is. */
    static Optional<String> of(BlobStore objects, BlobName name) throws IOException {
        try {
            return StoredObject.nameOf(objects, name).equals(name)
                    ? Optional.empty()
                    : Optional.of("object " + name + " is not what was put there");
        } catch (NoSuchFileException e) {
            return Optional.of("object " + name + " is missing");
        }
    }
}
