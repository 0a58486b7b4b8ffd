package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.MemoryBlobs;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Sha256;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;

/** An archive in memory whose key changes, with a plain model of what is in it. */
abstract class KeyedArchive {
    static final byte[] ID = new byte[16];
    static final Question ALL = new Question.And(List.of());

    @TempDir
    Path folder;

    final ReplayableRandom coins = new ReplayableRandom(TestSeed.of(getClass()).coins("archive"));
    final ArchiveKey key = ArchiveKey.random(coins);
    final FaultyManifests manifests = new FaultyManifests();
    final FailingBlobs objects = new FailingBlobs();
    final List<Integer> settled = new ArrayList<>();
    final TreeMap<String, Integer> model = new TreeMap<>();
    EpochKey newest = EpochKey.first(key);

    /** Objects in memory, one of which cannot be put. */
    static final class FailingBlobs implements BlobStore {
        private final MemoryBlobs blobs = new MemoryBlobs();
        int putsUntilOneFails = Integer.MAX_VALUE;

        @Override
        public void put(BlobName name, Message.Body object) throws IOException {
            if (putsUntilOneFails-- == 0) {
                throw new IOException("the disk is full");
            }
            try {
                blobs.put(name, object);
            } catch (MalformedEncodingException e) {
                throw new IOException(e);
            }
        }

        @Override
        public OptionalLong length(BlobName name) {
            return blobs.length(name);
        }

        @Override
        public byte[] read(BlobName name, long from, int length) throws IOException {
            return blobs.read(name, from, length);
        }

        @Override
        public List<BlobName> list() {
            return blobs.list();
        }

        @Override
        public void remove(BlobName name) {
            blobs.remove(name);
        }

        @Override
        public void close() {
            blobs.close();
        }
    }

    /** A ring of the newest key that a commit was made by. */
    KeyRing ring() throws Exception {
        return new KeyRing(copy(newest), null, key -> settled.add(key.epoch()));
    }

    /** A ring with the next key too. */
    KeyRing ring(EpochKey next) throws Exception {
        return new KeyRing(copy(newest), copy(next), key -> settled.add(key.epoch()));
    }

    static EpochKey copy(EpochKey key) throws Exception {
        return EpochKey.of(key.epoch(), ArchiveKey.decode(key.key().encode()), key.digestsKey());
    }

    SegmentArchive open(KeyRing ring, HeadMemory memory) throws IOException {
        return SegmentArchive.open(objects, manifests, ring, ID, memory, coins);
    }

    SegmentArchive open(KeyRing ring) throws IOException {
        return open(ring, HeadMemory.inMemory());
    }

    SegmentArchive create(int documents) throws Exception {
        SegmentArchive archive = SegmentArchive.create(objects, manifests, key, ID, HeadMemory.inMemory(), coins);
        for (int i = 0; i < documents; i++) {
            add(archive, "name" + i, i);
        }
        return archive;
    }

    static ArchivedDocument document(SegmentArchive archive, String name, int content) {
        return new ArchivedDocument(
                name,
                archive.digest(sha256(content)),
                0,
                Archives.counts(Map.of(word(content), 1, Keyword.text("text", "all"), 2)));
    }

    static byte[] sha256(int content) {
        return new Sha256().add(content).finish().clone();
    }

    static Keyword word(int content) {
        return Keyword.text("text", "word" + content);
    }

    void add(SegmentArchive archive, String name, int content) throws IOException {
        archive.add(List.of(document(archive, name, content)));
        model.put(name, content);
    }

    void delete(SegmentArchive archive, String name) throws IOException {
        assertThat(archive.delete(List.of(name))).isEqualTo(1);
        model.remove(name);
    }

    static Set<String> found(SegmentArchive archive, Question question) throws IOException {
        Set<String> names = new TreeSet<>();
        archive.search(question, Integer.MAX_VALUE, false)
                .hits()
                .forEach(hit -> names.add(hit.document().name()));
        return names;
    }

    /** All documents are found, by their words too, are known to be unchanged, and nothing is wrong. */
    void requireModel(SegmentArchive archive) throws IOException {
        assertThat(found(archive, ALL)).isEqualTo(model.keySet());
        List<String> names = List.copyOf(model.keySet());
        for (String name : names) {
            assertThat(found(archive, new Question.Word(word(model.get(name))))).contains(name);
        }
        boolean[] same = archive.same(names, i -> archive.digest(sha256(model.get(names.get(i)))), _ -> 0);
        assertThat(same).hasSize(names.size()).doesNotContain(false);
        assertThat(archive.verify()).isEmpty();
    }

    /** Gives the archive a new key; an archive that is open under it. */
    SegmentArchive rekey() throws Exception {
        EpochKey next = newest.next(coins);
        SegmentArchive archive = open(ring(next));
        archive.rekey(folder);
        newest = next;
        return archive;
    }

    static void assertNeedsNewKey(ThrowingCallable work, long since) {
        assertThatThrownBy(work).isInstanceOfSatisfying(OtherEpochException.class, e -> {
            assertThat(e.isNewer()).isTrue();
            assertThat(e).hasMessageContaining("a new key since state " + since + ",");
        });
    }

    static void assertOldKeyIsRefused(ThrowingCallable work) {
        assertThatThrownBy(work)
                .isInstanceOfSatisfying(
                        OtherEpochException.class, e -> assertThat(e.isNewer()).isFalse());
    }
}
