package dev.veilgate.sse.segments;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.Message;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Readers of the segments of an archive in one epoch of its key, and what is deleted in them, kept while states name
 * them. For one thread.
 */
@Secret
final class OpenSegments implements ManifestChain.Objects {
    /** Time for which no sweep lets go of an object, and much less than that. */
    private static final Duration SURE = Duration.ofMinutes(10);

    private final BlobStore objects;
    private final SegmentKeys keys;
    private final SecureRandom random;
    private final InstantSource clock;
    private final Map<BlobName, SegmentReader> readers = new HashMap<>();
    private final Map<BlobName, DeadSet> dead = new HashMap<>();
    /** Objects that were put, and are not known to be named by a state yet. */
    private final Map<BlobName, Fresh> fresh = new HashMap<>();

    /**
     * An object that was put.
     *
     * @param sure when it surely was in the store
     */
    private record Fresh(Message.Body body, Instant sure) {}

    OpenSegments(BlobStore objects, SegmentKeys keys, SecureRandom random, InstantSource clock) {
        this.objects = objects;
        this.keys = keys;
        this.random = random;
        this.clock = clock;
    }

    /** Keys of what is put by this, and of what is read. Safe for use by several threads. */
    SegmentKeys keys() {
        return keys;
    }

    @Override
    public int epoch() {
        return keys.epoch();
    }

    SegmentReader reader(SegmentEntry entry) {
        return readers.computeIfAbsent(entry.name(), _ -> new SegmentReader(objects, keys, entry));
    }

    /** Puts an object into the store, durably. */
    void put(BlobName name, Message.Body object) throws IOException {
        stored(name, object, store(name, object));
    }

    /**
     * Puts an object into the store, durably, of which {@link #stored} is told later. Safe for use by several threads.
     *
     * @return when it surely was there
     */
    Instant store(BlobName name, Message.Body object) throws IOException {
        try {
            objects.put(name, object);
            return clock.instant();
        } catch (MalformedEncodingException e) {
            throw new IOException("an object changed while it was kept", e);
        }
    }

    /** Notes an object that was put: it is kept there until {@link #forgetFresh}. */
    void stored(BlobName name, Message.Body object, Instant sure) {
        fresh.put(name, new Fresh(object, sure));
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
     * Makes sure that what was put and a state names is in the store: before the state stands there, and once more when
     * it does, for the machine may have slept in between, and a sweep let go of what nobody named.
     */
    @Override
    public void keep(Manifest state) throws IOException {
        Set<BlobName> named = state.objects();
        for (Map.Entry<BlobName, Fresh> each : List.copyOf(fresh.entrySet())) {
            BlobName name = each.getKey();
            Instant now = clock.instant();
            boolean recent = Duration.between(each.getValue().sure(), now).abs().compareTo(SURE) < 0;
            if (named.contains(name) && !(recent && objects.length(name).isPresent())) {
                if (objects.restore(name)) {
                    fresh.put(name, new Fresh(each.getValue().body(), now));
                } else {
                    put(name, each.getValue().body());
                }
            }
        }
    }

    /** Forgets what was put: it is named, or never will be. */
    void forgetFresh() {
        fresh.clear();
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
