package dev.veilgate.sse.segments;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.Message;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Readers of the segments of an archive, and what is deleted in them, kept while states name them. For one thread. */
@Secret
final class OpenSegments {
    private final BlobStore objects;
    private final SegmentKeys keys;
    private final SecureRandom random;
    private final Map<BlobName, SegmentReader> readers = new HashMap<>();
    private final Map<BlobName, DeadSet> dead = new HashMap<>();
    /** Objects that were put since the last commit. */
    private final Map<BlobName, Message.Body> fresh = new HashMap<>();

    OpenSegments(BlobStore objects, SegmentKeys keys, SecureRandom random) {
        this.objects = objects;
        this.keys = keys;
        this.random = random;
    }

    SegmentReader reader(SegmentEntry entry) {
        return readers.computeIfAbsent(entry.name(), _ -> new SegmentReader(objects, keys, entry));
    }

    /** Puts an object into the store, durably. */
    void put(BlobName name, Message.Body object) throws IOException {
        try {
            objects.put(name, object);
            fresh.put(name, object);
        } catch (MalformedEncodingException e) {
            throw new IOException("an object changed while it was kept", e);
        }
    }

    /** Documents that are deleted in a segment of a state. */
    DeadSet dead(Manifest.LiveSegment segment) throws IOException {
        Manifest.DeadEntry entry = segment.dead();
        int documents = segment.entry().layout().documents();
        if (entry == null) {
            return DeadSet.NONE;
        }
        DeadSet known = dead.get(entry.name());
        if (known == null) {
            known = DeadSet.open(objects, keys, entry.name(), entry.v(), entry.count(), documents);
            dead.put(entry.name(), known);
        }
        return known;
    }

    /**
     * Ends a commit: what it put and a state names is put again if somebody has swept it away before it was named. Lets
     * go of what the state does not name.
     */
    void settle(Manifest state) throws IOException {
        Set<BlobName> named = state.objects();
        for (Map.Entry<BlobName, Message.Body> each : List.copyOf(fresh.entrySet())) {
            if (named.contains(each.getKey()) && objects.length(each.getKey()).isEmpty()) {
                put(each.getKey(), each.getValue());
            }
        }
        fresh.clear();
        keepOnly(state);
    }

    /** Lets go of what a state does not name. */
    void keepOnly(Manifest state) {
        Set<BlobName> named = state.objects();
        readers.keySet().retainAll(named);
        dead.keySet().retainAll(named);
    }

    /**
     * Segments in some of which more documents are deleted than before; those in which all are come to an end.
     *
     * @param more numbers by the segment's name
     */
    List<Manifest.LiveSegment> bury(List<Manifest.LiveSegment> segments, Map<BlobName, int[]> more) throws IOException {
        List<Manifest.LiveSegment> after = new ArrayList<>();
        for (Manifest.LiveSegment segment : segments) {
            int[] numbers = more.get(segment.entry().name());
            if (numbers == null || numbers.length == 0) {
                after.add(segment);
                continue;
            }
            DeadSet before = dead(segment);
            DeadSet now = before.with(numbers);
            if (now.size() == before.size()) {
                after.add(segment);
            } else if (now.size() < segment.entry().layout().documents()) {
                SealedObject sealed = now.seal(keys, random);
                put(sealed.name(), sealed.object());
                dead.put(sealed.name(), now);
                after.add(new Manifest.LiveSegment(
                        segment.entry(), new Manifest.DeadEntry(sealed.name(), sealed.v(), now.size())));
            }
        }
        return after;
    }
}
