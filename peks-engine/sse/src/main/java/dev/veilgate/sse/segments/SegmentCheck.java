package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Faults of segments: objects that are missing or altered, and those that are as they were put and cannot be read under
 * the archive's key. Reads each segment whole, as searches, additions and deletions read parts of it, so that none of
 * them fails on a segment without a fault.
 */
@Secret
final class SegmentCheck {
    /** Documents whose names are looked for at a time. */
    private static final int NAMES_AT_ONCE = 1 << 15;

    private static final byte[] FIRST_WORD = {};

    private final BlobStore objects;
    private final SegmentKeys keys;
    private final Map<BlobName, Optional<String>> known = new HashMap<>();

    /** @param keys of the state that names the segments */
    SegmentCheck(BlobStore objects, SegmentKeys keys) {
        this.objects = objects;
        this.keys = keys;
    }

    private interface Reading {
        void run() throws IOException;
    }

    /** Faults of a segment's object and of the one that says what is deleted in it, in plain words. */
    List<String> faults(Manifest.LiveSegment segment) throws IOException {
        List<String> faults = new ArrayList<>();
        SegmentEntry entry = segment.entry();
        fault(entry.name(), () -> read(new SegmentReader(objects, keys, entry))).ifPresent(faults::add);
        Manifest.DeadEntry dead = segment.dead();
        if (dead != null) {
            int documents = entry.layout().documents();
            fault(dead.name(), () -> DeadSet.open(objects, keys, dead.name(), dead.v(), dead.count(), documents))
                    .ifPresent(faults::add);
        }
        return faults;
    }

    private Optional<String> fault(BlobName name, Reading reading) throws IOException {
        Optional<String> fault = known.get(name);
        if (fault == null) {
            fault = lookForFault(name, reading);
            known.put(name, fault);
        }
        return fault;
    }

    private Optional<String> lookForFault(BlobName name, Reading reading) throws IOException {
        try {
            if (!StoredObject.nameOf(objects, name).equals(name)) {
                return Optional.of("object " + name + " is not what was put there");
            }
            reading.run();
            return Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.of("object " + name + " is missing");
        } catch (DamagedObjectException e) {
            return Optional.of(unreadable(name, e.part()));
        } catch (IndexOutOfBoundsException | IllegalArgumentException | ArithmeticException e) {
            return Optional.of(unreadable(name, "its encoding"));
        }
    }

    private static String unreadable(BlobName name, String part) {
        return "object " + name + " is what was put there, and cannot be read by the archive's key: " + part;
    }

    private static void read(SegmentReader reader) throws IOException {
        for (SegmentPart part : SegmentPart.values()) {
            PartStream pages = new PartStream(reader.pages(), part);
            while (pages.left() > 0) {
                pages.page();
            }
        }
        long[] words = {0};
        reader.scan(FIRST_WORD, word -> {
            word.postings();
            words[0]++;
            return true;
        });
        if (words[0] != reader.entry().layout().words()) {
            throw reader.pages().damaged(SegmentPart.DICTIONARY);
        }
        readDocuments(reader);
    }

    /** Each document is found by its name. */
    private static void readDocuments(SegmentReader reader) throws IOException {
        int documents = reader.entry().layout().documents();
        for (int from = 0; from < documents; from += NAMES_AT_ONCE) {
            int to = Math.min(documents, from + NAMES_AT_ONCE);
            List<String> names = new ArrayList<>();
            for (int number = from; number < to; number++) {
                names.add(reader.document(number).name());
            }
            BitSet found = new BitSet(documents);
            for (NameMatch match : reader.matches(new WantedNames(names))) {
                found.set(match.number());
            }
            if (found.nextClearBit(from) < to) {
                throw reader.pages().damaged(SegmentPart.NAME_TAGS);
            }
        }
    }
}
