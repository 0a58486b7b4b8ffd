package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.Sha256;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Faults of segments: objects that are missing or altered, and those that are as they were put and cannot be read under
 * the archive's key. Reads each segment whole, from the first byte of each part to the last, and requires all that
 * searches, additions, deletions and merges rely on, so that none of them fails on a segment without a fault. Takes 4
 * bytes of memory a document, as merges do.
 */
@Secret
final class SegmentCheck {
    private final BlobStore objects;
    private final SegmentKeys keys;
    /** A file may be put back before the next look. */
    private final Set<BlobName> sound = new HashSet<>();

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
        Optional<String> fault = sound.contains(name) ? Optional.empty() : lookForFault(name, reading);
        if (fault.isEmpty()) {
            sound.add(name);
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
        } catch (IndexOutOfBoundsException
                | IllegalArgumentException
                | IllegalStateException
                | ArithmeticException
                | NegativeArraySizeException e) { // of an encoding that no writer makes
            return Optional.of(unreadable(name, "its encoding"));
        }
    }

    private static String unreadable(BlobName name, String part) {
        return "object " + name + " is what was put there, and cannot be read by the archive's key: " + part;
    }

    private static void read(SegmentReader reader) throws IOException {
        PartStream padding = new PartStream(reader.pages(), SegmentPart.PADDING);
        while (padding.left() > 0) {
            padding.page();
        }
        readWords(reader);
        readTags(reader.pages(), readDocuments(reader.pages()));
    }

    /** Words ascend, each is found by the fences, and their lists stand one behind the other. */
    private static void readWords(SegmentReader reader) throws IOException {
        SegmentLayout layout = reader.entry().layout();
        WordStream stream = new WordStream(reader.pages());
        byte[] before = {};
        long words = 0;
        while (stream.next()) {
            byte[] word = stream.word().toByteArray();
            boolean ascends = words == 0 || Arrays.compareUnsigned(word, before) > 0;
            if (!ascends || word.length > WordBytes.MAX_BYTES || reader.page(word) != stream.page()) {
                throw reader.pages().damaged(SegmentPart.DICTIONARY);
            }
            Postings _ = stream.postings(layout.documents());
            before = word;
            words++;
        }
        if (words != layout.words() || stream.left() > 0) {
            throw reader.pages().damaged(SegmentPart.DICTIONARY);
        }
    }

    /** Documents and their lengths; the tags of their names, by number. */
    private static int[] readDocuments(SegmentPages pages) throws IOException {
        int[] firsts = new DocumentReader(pages).firstDocuments();
        int[] tags = new int[pages.entry().layout().documents()];
        PartStream stream = new PartStream(pages, SegmentPart.DOCUMENTS);
        Sha256 sha = new Sha256();
        for (int i = 0; i < firsts.length; i++) {
            int end = i + 1 < firsts.length ? firsts[i + 1] : tags.length;
            DocumentPage page = new DocumentPage(stream.page());
            for (int number = firsts[i]; number < end; number++) {
                page.next();
                FrontCoding name = page.name();
                if (name.length() == 0 || name.length() > ArchivedDocument.MAX_NAME_BYTES) {
                    throw stream.damaged();
                }
                tags[number] = (int) (NameTags.of(sha, name.buffer(), name.length(), 0) >>> 32);
            }
        }
        PartStream lengths = new PartStream(pages, SegmentPart.LENGTHS);
        while (lengths.left() > 0) {
            lengths.page();
        }
        return tags;
    }

    /** Tags ascend, and each is of the name of its document. */
    private static void readTags(SegmentPages pages, int[] tags) throws IOException {
        PartStream stream = new PartStream(pages, SegmentPart.NAME_TAGS);
        int numberBytes = SegmentLayout.numberBytes(tags.length);
        BitSet seen = new BitSet(tags.length);
        byte[] page = {};
        int at = 0;
        long before = 0;
        for (int i = 0; i < tags.length; i++) {
            if (at + SegmentLayout.TAG_BYTES + numberBytes > page.length) {
                page = stream.page();
                at = 0;
            }
            PageBytes in = new PageBytes(page, at);
            at += SegmentLayout.TAG_BYTES + numberBytes;
            long tag = in.fixed(SegmentLayout.TAG_BYTES);
            int number = Math.toIntExact(in.fixed(numberBytes));
            if (tag < before || seen.get(number) || tag != Integer.toUnsignedLong(tags[number])) {
                throw stream.damaged();
            }
            seen.set(number);
            before = tag;
        }
    }
}
