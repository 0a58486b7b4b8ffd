package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.StuckRandom;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A store that gives other bytes than it was given: each answer is the right one or a DamagedObjectException. */
class SegmentAttackTest {
    private final TestSeed seed = TestSeed.of(getClass());

    /** All that can be asked of a segment about some documents, as text; null for an answer that says damage. */
    private static List<String> answers(SegmentReader reader, List<ArchivedDocument> documents) {
        TreeSet<Keyword> words = new TreeSet<>();
        documents.forEach(each -> words.addAll(each.words().toMap().keySet()));
        List<Question> questions = new ArrayList<>();
        for (Keyword word : words) {
            questions.add(() -> text(reader.find(WordBytes.of(word))));
        }
        questions.add(() -> text(reader.find(WordBytes.of(Keyword.text("text", "absent")))));
        questions.add(() -> {
            StringBuilder all = new StringBuilder();
            reader.scan(new byte[0], word -> {
                all.append(Arrays.toString(word.bytes())).append(text(word.postings()));
                return true;
            });
            return all.toString();
        });
        for (int i = 0; i < documents.size(); i++) {
            int number = i;
            questions.add(() -> {
                StoredName document = reader.document(number);
                return document.name() + document.place() + Arrays.toString(document.digest());
            });
            questions.add(() -> "" + reader.number(documents.get(number).name()));
            questions.add(() -> "" + reader.lengthClass(number));
        }
        questions.add(() -> "" + reader.number("absent"));
        List<String> answers = new ArrayList<>();
        for (Question each : questions) {
            try {
                answers.add(each.ask());
            } catch (DamagedObjectException e) {
                assertThat(e.object()).isEqualTo(reader.entry().name());
                answers.add(null);
            } catch (IOException e) {
                throw new AssertionError("another failure than damage", e);
            }
        }
        return answers;
    }

    private interface Question {
        String ask() throws IOException;
    }

    private static String text(Postings postings) throws IOException {
        if (postings == null) {
            return "none";
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < postings.count(); i++) {
            text.append(postings.number(i)).append('/').append(postings.tf(i)).append('/');
            text.append(postings.lengthClass(i)).append(' ');
        }
        return text.toString();
    }

    /** A segment, what it answers, and how often other bytes were damage. */
    private final class Case {
        final List<ArchivedDocument> documents;
        final Archives archive;
        final SegmentEntry entry;
        final byte[] bytes;
        final List<String> right;
        int damaged;

        Case(String use, int count, int mostWords) throws IOException {
            documents = Archives.random(seed.random(use), count, mostWords);
            archive = new Archives(seed, use);
            SealedSegment sealed = archive.seal(documents);
            entry = sealed.entry();
            bytes = sealed.object().open().readAllBytes();
            right = answers(new SegmentReader(new FixedBlob(bytes), archive.keys, entry), documents);
            assertThat(right).doesNotContainNull();
        }

        void requireRightOrDamaged(byte[] other) {
            List<String> answers = answers(new SegmentReader(new FixedBlob(other), archive.keys, entry), documents);
            for (int i = 0; i < right.size(); i++) {
                if (answers.get(i) == null) {
                    damaged++;
                } else {
                    assertThat(answers.get(i)).isEqualTo(right.get(i));
                }
            }
        }
    }

    @Test
    void changedBytesAreDamage() throws Exception {
        Case small = new Case("flip", 6, 5);
        SegmentLayout layout = small.entry.layout();
        for (int i = 0; i < small.bytes.length; i++) {
            byte[] other = small.bytes.clone();
            other[i] ^= (byte) (1 << i % 8);
            int before = small.damaged;
            small.requireRightOrDamaged(other);
            boolean read = i >= ObjectHead.BYTES && i < layout.placeOf(SegmentPart.PADDING);
            assertThat(small.damaged > before).isEqualTo(read);
        }
    }

    @Test
    void shorterObjectsAreDamage() throws Exception {
        Case small = new Case("short", 6, 5);
        SplittableRandom random = seed.random("lengths");
        for (int i = 0; i < 300; i++) {
            int length = random.nextInt(small.bytes.length);
            int before = small.damaged;
            small.requireRightOrDamaged(Arrays.copyOf(small.bytes, length));
            assertThat(small.damaged > before)
                    .isEqualTo(length < small.entry.layout().placeOf(SegmentPart.PADDING));
        }
        small.requireRightOrDamaged(Arrays.copyOf(small.bytes, small.bytes.length + 100));
    }

    @Test
    void pagesInOtherPlacesAreDamage() throws Exception {
        Case large = new Case("swap", 600, 40);
        List<int[]> pages = new ArrayList<>(); // begin, length, number
        for (SegmentPart part : SegmentPart.values()) {
            long place = large.entry.layout().placeOf(part);
            int number = 0;
            if (part == SegmentPart.PADDING) {
                assertThat(pages.getLast()[0] + pages.getLast()[1]).isEqualTo((int) place);
                break; // is not read
            }
            for (long left = large.entry.layout().bytesOf(part); left > 0; left -= PageCipher.PAGE_BYTES) {
                int length = (int) Math.min(left, PageCipher.PAGE_BYTES) + PageCipher.TAG_BYTES;
                pages.add(new int[] {(int) place, length, number++});
                place += length;
            }
        }
        List<int[][]> exchanged = new ArrayList<>();
        for (int[] one : pages) {
            for (int[] other : pages) {
                if (one[0] < other[0] && one[1] == other[1] && one[2] == other[2]) {
                    exchanged.add(new int[][] {one, other}); // of two parts
                }
            }
        }
        assertThat(exchanged).isNotEmpty();
        SplittableRandom random = seed.random("pages");
        for (int i = 0; i < 20; i++) {
            exchanged.add(
                    new int[][] {pages.get(random.nextInt(pages.size())), pages.get(random.nextInt(pages.size()))});
        }
        for (int[][] pair : exchanged) {
            int length = Math.min(pair[0][1], pair[1][1]);
            byte[] bytes = large.bytes.clone();
            System.arraycopy(large.bytes, pair[0][0], bytes, pair[1][0], length);
            System.arraycopy(large.bytes, pair[1][0], bytes, pair[0][0], length);
            int before = large.damaged;
            large.requireRightOrDamaged(bytes);
            assertThat(large.damaged > before).isEqualTo(pair[0] != pair[1]);
        }
    }

    @Test
    void otherSegmentsAreDamage() throws Exception {
        Case one = new Case("one", 6, 5);
        SealedSegment same = one.archive.seal(one.documents);
        SealedSegment fewer = one.archive.seal(one.documents.subList(0, 5));
        SegmentKeys otherArchive = SegmentKeys.of(ArchiveKey.random(one.archive.coins), new byte[16]);
        SegmentBuilder builder = new SegmentBuilder(otherArchive, one.archive.coins);
        for (ArchivedDocument each : one.documents) {
            builder.add(each);
        }
        for (SealedSegment each : List.of(same, fewer, builder.finish())) {
            byte[] bytes = each.object().open().readAllBytes();
            System.arraycopy(one.bytes, 0, bytes, 0, ObjectHead.BYTES);
            int before = one.damaged;
            one.requireRightOrDamaged(bytes);
            assertThat(one.damaged - before).isEqualTo(one.right.size());
        }
    }

    @Test
    void archivesOfOneKeyHaveDifferentVs() throws Exception {
        ArchiveKey key = ArchiveKey.random(new StuckRandom());
        byte[] second = new byte[16];
        second[15] = 1;
        byte[] v = new SegmentBuilder(SegmentKeys.of(key, new byte[16]), new StuckRandom())
                .finish()
                .entry()
                .v();
        assertThat(new SegmentBuilder(SegmentKeys.of(key, second), new StuckRandom())
                        .finish()
                        .entry()
                        .v())
                .isNotEqualTo(v);
    }

    /** A machine that was cloned draws the same r: it seals the same bytes, or under other keys. */
    @Test
    void sameCoinsWithOtherContentGiveOtherKeys() throws Exception {
        Archives archive = new Archives(seed, "stuck");
        List<ArchivedDocument> documents = Archives.random(seed.random("stuck"), 40, 20);
        List<byte[]> vs = new ArrayList<>();
        for (int leftOut = 0; leftOut < documents.size(); leftOut++) {
            List<ArchivedDocument> some = new ArrayList<>(documents);
            some.set(leftOut, Archives.document("other"));
            SegmentBuilder builder = new SegmentBuilder(archive.keys, new StuckRandom());
            for (ArchivedDocument each : some) {
                builder.add(each);
            }
            vs.add(builder.finish().entry().v());
        }
        byte[] dead = DeadSet.of(1).seal(archive.keys, new StuckRandom()).v();
        vs.add(dead);
        vs.add(DeadSet.of(2).seal(archive.keys, new StuckRandom()).v());
        assertThat(vs.stream().map(Arrays::toString).distinct().count()).isEqualTo(vs.size());
        assertThat(DeadSet.of(1).seal(archive.keys, new StuckRandom()).v()).isEqualTo(dead);
    }

    @Test
    void sameContentAndCoinsGiveTheSameBytes() throws Exception {
        Archives archive = new Archives(seed, "equal");
        List<ArchivedDocument> documents = Archives.random(seed.random("equal"), 500, 40);
        List<byte[]> objects = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            SegmentBuilder builder = new SegmentBuilder(archive.keys, new StuckButForHashes(round));
            for (ArchivedDocument each : documents) {
                builder.add(each);
            }
            objects.add(builder.finish().object().open().readAllBytes());
        }
        assertThat(objects.getFirst()).isEqualTo(objects.getLast());
    }

    /** Says the same r for ever; the keys of hash tables, which are shorter, differ. */
    private static final class StuckButForHashes extends SecureRandom {
        private static final long serialVersionUID = 1L;
        private final int value;

        StuckButForHashes(int value) {
            this.value = value;
        }

        @Override
        public void nextBytes(byte[] out) {
            Arrays.fill(out, (byte) (out.length == SegmentKeys.R_BYTES ? 1 : value));
        }
    }

    @Test
    void damageNamesTheObjectAndNoWord() throws Exception {
        Case small = new Case("names", 6, 5);
        byte[] other = small.bytes.clone();
        other[(int) small.entry.layout().placeOf(SegmentPart.DICTIONARY)] ^= 1;
        SegmentReader reader = new SegmentReader(new FixedBlob(other), small.archive.keys, small.entry);
        assertThatThrownBy(() -> reader.scan(new byte[0], word -> true))
                .isInstanceOf(DamagedObjectException.class)
                .hasMessage("the object " + small.entry.name() + " of the archive is damaged: dictionary");
    }
}
