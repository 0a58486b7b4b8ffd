package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.BlobName;
import dev.veilgate.sse.BlobStore;
import dev.veilgate.sse.ConflictException;
import dev.veilgate.sse.MemoryBlobs;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.Sha256;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.StuckRandom;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentArchiveTest {
    private static final TestSeed SEED = TestSeed.of(SegmentArchiveTest.class);
    private static final byte[] ID = new byte[16];

    /** Operations of several writers; more by {@code -Dveilgate.operations}. */
    private static final int OPERATIONS = Integer.getInteger("veilgate.operations", 600);

    @TempDir
    Path folder;

    private final ReplayableRandom coins = new ReplayableRandom(SEED.coins("archive"));
    private final ArchiveKey key = ArchiveKey.random(coins);
    private final FaultyManifests manifests = new FaultyManifests();
    private final MemoryBlobs objects = new MemoryBlobs();
    private final TreeMap<String, ArchivedDocument> model = new TreeMap<>();
    private final List<SegmentArchive> writers = new ArrayList<>();
    private final Set<SegmentArchive> busy = new HashSet<>();

    private SegmentArchive create() throws IOException {
        return SegmentArchive.create(objects, manifests, key, ID, HeadMemory.inMemory(), coins);
    }

    private SegmentArchive open() throws IOException {
        return SegmentArchive.open(objects, manifests, key, ID, HeadMemory.inMemory(), coins);
    }

    private static Keyword word(int number) {
        return Keyword.text("text", "word" + number);
    }

    /** A document whose content is told by its words. */
    private static ArchivedDocument document(String name, Map<Keyword, Integer> words) {
        Sha256 digest = new Sha256();
        new TreeMap<>(words).forEach((word, times) -> digest.add(word.encode()).add(times));
        return new ArchivedDocument(
                name, Arrays.copyOf(digest.finish(), ArchivedDocument.DIGEST_BYTES), 0, Archives.counts(words));
    }

    private static ArchivedDocument randomDocument(SplittableRandom random) {
        TreeMap<Keyword, Integer> words = new TreeMap<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            words.put(word(random.nextInt(12)), 1 + random.nextInt(3));
        }
        return document("name" + random.nextInt(40), words);
    }

    private static Question.Word asked(int number) {
        return new Question.Word(word(number));
    }

    private Set<String> expected(Predicate<ArchivedDocument> answers) {
        Set<String> names = new TreeSet<>();
        model.values().stream().filter(answers).forEach(document -> names.add(document.name()));
        return names;
    }

    private static Set<String> found(SegmentArchive archive, Question question) throws IOException {
        SegmentArchive.Found found = archive.search(question, Integer.MAX_VALUE, false);
        Set<String> names = new TreeSet<>();
        found.hits().forEach(hit -> names.add(hit.document().name()));
        assertThat(found.count()).isEqualTo(found.hits().size()).isEqualTo(names.size());
        return names;
    }

    private void requireModel(SegmentArchive archive) throws IOException {
        for (int i = 0; i < 12; i++) {
            Keyword word = word(i);
            assertThat(found(archive, asked(i)))
                    .isEqualTo(expected(document -> document.words().toMap().containsKey(word)));
        }
        assertThat(archive.state().documents()).isEqualTo(model.size());
        assertThat(found(archive, new Question.Not(asked(0))))
                .isEqualTo(expected(document -> !document.words().toMap().containsKey(word(0))));
    }

    /** An operation of a writer, and of the model when it is made. */
    private void operate(SegmentArchive archive, SplittableRandom random, int deep) throws IOException {
        busy.add(archive);
        if (deep > 0 && random.nextInt(3) == 0) {
            SegmentArchive other = writers.get(random.nextInt(writers.size()));
            if (!busy.contains(other)) { // one operation of a writer at a time
                manifests.between = () -> operate(other, random, deep - 1);
            }
        }
        manifests.next = switch (random.nextInt(8)) {
            case 0 -> FaultyManifests.Fault.LOST_BEFORE;
            case 1 -> FaultyManifests.Fault.LOST_AFTER;
            default -> FaultyManifests.Fault.NONE;
        };
        int what = random.nextInt(10);
        try {
            if (what < 5) {
                TreeMap<String, ArchivedDocument> batch = new TreeMap<>();
                for (int i = random.nextInt(5); i >= 0; i--) {
                    ArchivedDocument document = randomDocument(random);
                    batch.put(document.name(), document);
                }
                archive.add(List.copyOf(batch.values()));
                model.putAll(batch);
            } else if (what < 7) {
                Set<String> names = Set.of("name" + random.nextInt(40), "none");
                archive.delete(names);
                model.keySet().removeAll(names);
            } else {
                archive.merge(folder);
            }
        } catch (IOException e) {
            assertThat(e).hasMessage("lost before"); // nothing was done
        } finally {
            busy.remove(archive);
            manifests.between = () -> {};
            manifests.next = FaultyManifests.Fault.NONE;
        }
    }

    @Test
    void severalWritersThatGetAheadOfEachOtherAgreeWithAPlainModel() throws Exception {
        SplittableRandom random = SEED.random("writers");
        writers.add(create());
        writers.add(open());
        writers.add(open());
        for (int i = 0; i < OPERATIONS; i++) {
            operate(writers.get(random.nextInt(writers.size())), random, 2);
            if (i % 50 == 0) {
                requireModel(writers.get(random.nextInt(writers.size())));
            }
            if (i % 50 == 0) {
                writers.set(random.nextInt(writers.size()), open());
            }
        }
        requireModel(open());
        assertThat(manifests.conflicts).isGreaterThan(OPERATIONS / 20);
    }

    @Test
    void questionsOfEveryKindAgreeWithAPlainModel() throws Exception {
        SplittableRandom random = SEED.random("questions");
        SegmentArchive archive = create();
        for (int i = 0; i < 60; i++) {
            ArchivedDocument document = randomDocument(random);
            archive.add(List.of(document));
            model.put(document.name(), document);
        }
        for (int a = 0; a < 12; a++) {
            for (int b = 0; b < 12; b++) {
                Keyword one = word(a);
                Keyword two = word(b);
                assertThat(found(archive, new Question.And(List.of(asked(a), new Question.Not(asked(b))))))
                        .isEqualTo(expected(document -> document.words().toMap().containsKey(one)
                                && !document.words().toMap().containsKey(two)));
                assertThat(found(archive, new Question.Or(List.of(asked(a), asked(b)))))
                        .isEqualTo(expected(document -> document.words().toMap().containsKey(one)
                                || document.words().toMap().containsKey(two)));
            }
        }
        for (String pattern : List.of("word1*", "*", "w?rd?", "*1", "wo*d1?", "word", "x*", "word1")) {
            String regex = pattern.replace("*", ".*").replace("?", ".");
            assertThat(found(archive, new Question.Pattern("text", pattern)))
                    .as(pattern)
                    .isEqualTo(expected(document -> document.words().toMap().keySet().stream()
                            .anyMatch(word -> word.value().matches(regex))));
        }
        assertThat(found(archive, new Question.Pattern("other", "*"))).isEmpty();
    }

    @Test
    void aPatternThatStandsForTooManyWordsIsRefusedWithTheirNumber() throws Exception {
        SegmentArchive archive = create();
        TreeMap<Keyword, Integer> words = new TreeMap<>();
        for (int i = 0; i < 257; i++) {
            words.put(word(i), 1);
        }
        archive.add(List.of(document("many", words)));
        assertThatThrownBy(() -> archive.search(new Question.Pattern("text", "word*"), 10, false))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("257 words");
        assertThat(archive.search(new Question.Pattern("text", "word1*"), 10, false)
                        .count())
                .isEqualTo(1);
    }

    @Test
    void theBestDocumentsComeFirst() throws Exception {
        SegmentArchive archive = create();
        archive.add(List.of(
                document("once", Map.of(word(1), 1, word(2), 8)),
                document("often", Map.of(word(1), 8, word(2), 1)),
                document("never", Map.of(word(2), 9))));
        archive.add(List.of(document("both", Map.of(word(1), 5, word(3), 4))));
        SegmentArchive.Found found = archive.search(new Question.Or(List.of(asked(1), asked(3))), 2, true);
        assertThat(found.count()).isEqualTo(3);
        assertThat(found.hits()).extracting(hit -> hit.document().name()).containsExactly("both", "often");
        assertThat(archive.search(asked(1), 2, false).hits())
                .extracting(hit -> hit.document().name())
                .containsExactly("both", "often");
    }

    @Test
    void mergesKeepTheNumberOfSegmentsLow() throws Exception {
        SegmentArchive archive = create();
        for (int i = 0; i < 300; i++) {
            archive.add(List.of(document("name" + i, Map.of(word(i % 12), 1))));
            while (archive.merge(folder)) {
                // until nothing is due
            }
            assertThat(archive.state().segments()).hasSizeLessThan(3 * MergePolicy.TOGETHER);
        }
        assertThat(archive.search(asked(5), 5, false).count()).isEqualTo(25);
    }

    @Test
    void aStoreThatIsRolledBackIsNoticedHoweverFarItGrowsAgain() throws Exception {
        SegmentArchive archive = create();
        HeadMemory memory = HeadMemory.inMemory();
        archive.add(List.of(document("a", Map.of(word(1), 1))));
        TreeMap<Long, byte[]> copy = manifests.copy();
        archive.add(List.of(document("b", Map.of(word(1), 1))));
        SegmentArchive.open(objects, manifests, key, ID, memory, coins);
        manifests.restore(copy);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> SegmentArchive.open(objects, manifests, key, ID, memory, coins))
                    .isInstanceOf(RolledBackException.class);
            open().add(List.of(document("c" + i, Map.of(word(1), 1)))); // a device that has not seen it
        }
    }

    @Test
    void aStateThatIsGivenUpIsKnownToTheOtherDevicesThatSawIt() throws Exception {
        SegmentArchive archive = create();
        HeadMemory one = HeadMemory.inMemory();
        HeadMemory other = HeadMemory.inMemory();
        archive.add(List.of(document("a", Map.of(word(1), 1))));
        TreeMap<Long, byte[]> copy = manifests.copy();
        for (int i = 0; i < 3; i++) {
            archive.add(List.of(document("b" + i, Map.of(word(1), 1))));
        }
        SegmentArchive.open(objects, manifests, key, ID, one, coins);
        SegmentArchive.open(objects, manifests, key, ID, other, coins);
        manifests.restore(copy);
        assertThat(SegmentArchive.accept(objects, manifests, key, ID, one, coins))
                .isTrue();
        assertThat(SegmentArchive.accept(objects, manifests, key, ID, one, coins))
                .isFalse();
        for (HeadMemory memory : List.of(one, other)) {
            SegmentArchive again = SegmentArchive.open(objects, manifests, key, ID, memory, coins);
            assertThat(again.search(asked(1), 10, false).count()).isEqualTo(1);
            assertThat(again.verify()).isEmpty();
        }
    }

    @Test
    void anArchiveThatIsOpenWhileItsStoreIsRolledBackNoticesIt() throws Exception {
        HeadMemory memory = HeadMemory.inMemory();
        SegmentArchive archive = SegmentArchive.create(objects, manifests, key, ID, memory, coins);
        archive.add(List.of(document("a", Map.of(word(1), 1))));
        TreeMap<Long, byte[]> copy = manifests.copy();
        archive.add(List.of(document("b", Map.of(word(1), 1))));
        manifests.restore(copy);
        assertThatThrownBy(() -> archive.search(asked(1), 1, false)).isInstanceOf(RolledBackException.class);
        assertThatThrownBy(() -> archive.add(List.of(document("c", Map.of(word(1), 1)))))
                .isInstanceOf(RolledBackException.class);
        open().add(List.of(document("d", Map.of(word(1), 1)))); // a device that has not seen it; the same number
        assertThatThrownBy(() -> archive.search(asked(1), 1, false)).isInstanceOf(RolledBackException.class);
        SegmentArchive.accept(objects, manifests, key, ID, memory, coins);
        assertThat(found(archive, asked(1))).containsExactly("a", "d");
        archive.add(List.of(document("e", Map.of(word(1), 1))));
        assertThat(open().verify()).isEmpty();
    }

    @Test
    void aBrokenChainIsGivenUpLikeAnother() throws Exception {
        HeadMemory memory = HeadMemory.inMemory();
        SegmentArchive.create(objects, manifests, key, ID, memory, coins).close();
        for (int i = 0; i < 3; i++) {
            open().add(List.of(document("a" + i, Map.of(word(1), 1))));
        }
        manifests.replace(3, new byte[5]);
        assertThatThrownBy(() -> SegmentArchive.open(objects, manifests, key, ID, memory, coins))
                .isInstanceOf(RolledBackException.class)
                .hasCauseInstanceOf(SseException.class);
        assertThat(SegmentArchive.accept(objects, manifests, key, ID, memory, coins))
                .isTrue();
        assertThat(SegmentArchive.open(objects, manifests, key, ID, memory, coins)
                        .search(asked(1), 0, true)
                        .count())
                .isEqualTo(3);
    }

    @Test
    void hugeAndDeepQuestionsAreRefused() throws Exception {
        SegmentArchive archive = create();
        archive.add(List.of(document("a", Map.of(word(1), 1))));
        Question deep = asked(1);
        for (int i = 0; i < 100_000; i++) {
            deep = new Question.Not(deep);
        }
        Question huge = new Question.Or(Collections.nCopies(1_000_000, new Question.And(List.of())));
        for (Question question :
                List.of(deep, huge, new Question.Pattern("text", ""), new Question.Pattern("text", "x".repeat(5000)))) {
            assertThatThrownBy(() -> archive.search(question, 1, false)).isInstanceOf(RefusedException.class);
        }
        assertThat(archive.search(new Question.Or(List.of()), 1, true).count()).isZero();
        assertThat(archive.search(new Question.And(List.of()), 0, true)).satisfies(found -> {
            assertThat(found.count()).isEqualTo(1);
            assertThat(found.hits()).isEmpty();
        });
    }

    /** Whoever has the key may have put it; to compare each name with each other would take hours and all memory. */
    @Test
    void verifyReadsASegmentOfManyDocumentsOfOneName() throws Exception {
        SegmentArchive archive = create();
        SegmentBuilder builder = new SegmentBuilder(SegmentKeys.of(key, ID), coins);
        ArchivedDocument twin = document("twin", Map.of(word(1), 1));
        for (int i = 0; i < 40_000; i++) {
            builder.add(twin);
        }
        SealedSegment segment = builder.finish();
        objects.put(segment.entry().name(), segment.object());
        byte[] tag = ManifestSealer.head(manifests.bytes(1)).head().tag();
        Manifest state = new Manifest(List.of(new Manifest.LiveSegment(segment.entry(), null)));
        manifests.create(
                2,
                new ManifestSealer(EpochKey.first(key), ID, coins)
                        .seal(state, 2, tag, ManifestHead.NO_TAG)
                        .file());
        assertThat(archive.verify()).isEmpty();
        assertThat(archive.damaged()).isEmpty();
    }

    @Test
    void verifyNamesWhatIsMissingOrAltered() throws Exception {
        SegmentArchive archive = create();
        archive.add(List.of(document("a", Map.of(word(1), 1)), document("b", Map.of(word(1), 1))));
        archive.delete(List.of("a"));
        assertThat(archive.verify()).isEmpty();
        for (BlobName name : archive.state().objects()) {
            byte[] bytes = objects.read(name, 0, Integer.MAX_VALUE);
            objects.remove(name);
            assertThat(archive.verify()).containsExactly("object " + name + " is missing");
            objects.put(name, MemoryPages.body(List.of(bytes)));
        }
        manifests.replace(1, new byte[10]);
        assertThat(archive.verify()).singleElement().asString().contains("state 1");
    }

    /** Objects of which one has a byte that was altered. */
    private final class Altered implements BlobStore {
        BlobName name;
        int place;

        @Override
        public void put(BlobName its, Message.Body object) {
            throw new UnsupportedOperationException();
        }

        @Override
        public OptionalLong length(BlobName its) {
            return objects.length(its);
        }

        @Override
        public byte[] read(BlobName its, long from, int length) throws IOException {
            byte[] bytes = objects.read(its, from, length);
            if (its.equals(name) && place >= from && place < from + bytes.length) {
                bytes[(int) (place - from)] ^= (byte) (1 << place % 8);
            }
            return bytes;
        }

        @Override
        public List<BlobName> list() {
            return objects.list();
        }

        @Override
        public void remove(BlobName its) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            // holds nothing
        }
    }

    @Test
    void anyByteThatIsAlteredIsNamedByVerifyAndMakesNoSearchWrong() throws Exception {
        SegmentArchive archive = create();
        archive.add(List.of(document("a", Map.of(word(1), 1, word(2), 40)), document("b", Map.of(word(1), 2))));
        archive.delete(List.of("a"));
        Altered altered = new Altered();
        int damaged = 0;
        int bytes = 0;
        for (BlobName name : archive.state().objects()) {
            altered.name = name;
            for (altered.place = 0; altered.place < objects.length(name).orElseThrow(); altered.place++) {
                SegmentArchive read = SegmentArchive.open(altered, manifests, key, ID, HeadMemory.inMemory(), coins);
                assertThat(read.verify()).containsExactly("object " + name + " is not what was put there");
                bytes++;
                try {
                    assertThat(found(read, asked(1))).containsExactly("b");
                } catch (DamagedObjectException e) {
                    assertThat(e.object()).isEqualTo(name);
                    damaged++;
                }
            }
        }
        assertThat(damaged).isBetween(200, bytes); // the rest is not read, as padding
    }

    @Test
    void compactingLeavesOneSegmentWithWhatLives() throws Exception {
        SegmentArchive archive = create();
        SplittableRandom random = SEED.random("compact");
        for (int i = 0; i < 30; i++) {
            ArchivedDocument document = randomDocument(random);
            archive.add(List.of(document));
            model.put(document.name(), document);
        }
        archive.compact(folder);
        assertThat(archive.state().segments()).singleElement().satisfies(segment -> {
            assertThat(segment.dead()).isNull();
            assertThat(segment.documents()).isEqualTo(model.size());
        });
        requireModel(archive);
        archive.delete(model.keySet());
        assertThat(archive.state().segments()).isEmpty();
        archive.compact(folder);
        assertThat(archive.search(asked(1), 1, true).count()).isZero();
    }

    @Test
    void anObjectThatIsSweptBeforeItIsNamedIsPutAgain() throws Exception {
        SegmentArchive archive = create();
        manifests.between = () -> {
            for (BlobName name : objects.list()) {
                objects.remove(name);
            }
        };
        archive.add(List.of(document("a", Map.of(word(1), 1))));
        assertThat(open().search(asked(1), 1, false).count()).isEqualTo(1);
    }

    @Test
    void aStateThatIsAlteredExchangedOrOfAnotherKeyIsNone() throws Exception {
        SegmentArchive archive = create();
        archive.add(List.of(document("a", Map.of(word(1), 1))));
        byte[] good = manifests.bytes(2);
        for (int i = 0; i < good.length; i++) {
            byte[] altered = good.clone();
            altered[i] ^= 1;
            manifests.replace(2, altered);
            assertThatThrownBy(this::open).isInstanceOf(SseException.class);
        }
        manifests.replace(2, manifests.bytes(1));
        assertThatThrownBy(this::open).isInstanceOf(SseException.class).hasMessageContaining("state 2");
        manifests.replace(2, good);
        assertThatThrownBy(() -> SegmentArchive.open(
                        objects, manifests, ArchiveKey.random(coins), ID, HeadMemory.inMemory(), coins))
                .isInstanceOf(SseException.class);
        requireFound("a", open());
    }

    private static void requireFound(String name, SegmentArchive archive) throws IOException {
        assertThat(archive.named(name)).isNotNull();
    }

    @Test
    void aSegmentThatACloneOfTheMachineAddedIsNotAddedTwice() throws Exception {
        create();
        SegmentArchive stuck =
                SegmentArchive.open(objects, manifests, key, ID, HeadMemory.inMemory(), new StuckRandom());
        List<ArchivedDocument> both = List.of(document("a", Map.of(word(1), 1)), document("b", Map.of(word(1), 1)));
        PreparedAddition ofClone = stuck.prepare(both);
        stuck.add(stuck.prepare(both));
        open().add(List.of(document("a", Map.of(word(2), 1))));
        assertThatThrownBy(() -> stuck.add(ofClone)).isInstanceOf(ConflictException.class);
        assertThat(found(open(), asked(2))).containsExactly("a");
        open().add(both);
        open().add(List.of(document("b", Map.of(word(2), 1))));
        assertThat(found(open(), asked(1))).containsExactly("a");
        assertThat(found(open(), asked(2))).containsExactly("b");
    }

    @Test
    void anArchiveIsMadeOnce() throws Exception {
        create();
        assertThatThrownBy(this::create).isInstanceOf(SseException.class).hasMessageContaining("already");
    }

    @Test
    void aMillionHitsTakeABitEachAndTheNamesThatAreShown() throws Exception {
        WordCounts words = Archives.counts(Map.of(word(1), 1));
        int part = 250_000;
        try (SegmentArchive archive = create()) {
            for (int from = 0; from < 1_000_000; from += part) {
                List<ArchivedDocument> documents = new ArrayList<>();
                for (int i = from; i < from + part; i++) {
                    documents.add(new ArchivedDocument(
                            Integer.toString(i), new byte[ArchivedDocument.DIGEST_BYTES], 0, words));
                }
                archive.add(documents);
            }
            assertThat(archive.delete(List.of("999999"))).isEqualTo(1);
            assertThat(archive.search(asked(2), 1, false).count()).isZero();
            archive.search(asked(1), 1, true);
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
            long before = threads.getCurrentThreadAllocatedBytes();
            SegmentArchive.Found found = archive.search(asked(1), 3, false);
            assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(16 << 20);
            assertThat(found.count()).isEqualTo(999_999);
            assertThat(found.hits())
                    .extracting(hit -> hit.document().name())
                    .containsExactly("999998", "999997", "999996");
        }
    }
}
