package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.StuckRandom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentMergerTest {
    private final TestSeed seed = TestSeed.of(getClass());

    @TempDir
    Path folder;

    @AfterEach
    void nothingIsLeftInTheFolder() throws IOException {
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).isEmpty();
        }
    }

    private Merged merge(Archives archive, List<SegmentReader> inputs, List<DeadSet> dead) throws IOException {
        return SegmentMerger.merge(inputs, dead, folder, archive.coins);
    }

    @Test
    void answersAsASegmentOfTheLiveDocuments() throws Exception {
        SplittableRandom random = seed.random("merge");
        for (int round = 0; round < 12; round++) {
            Archives archive = new Archives(seed, "merge " + round);
            List<SegmentReader> inputs = new ArrayList<>();
            List<DeadSet> dead = new ArrayList<>();
            List<ArchivedDocument> live = new ArrayList<>();
            List<int[]> expected = new ArrayList<>();
            List<ArchivedDocument> all = Archives.random(random, 1 + random.nextInt(600), 30);
            int mostDead = random.nextInt(3);
            for (int from = 0; from < all.size(); ) {
                int to = Math.min(all.size(), from + 1 + random.nextInt(300));
                List<ArchivedDocument> some = all.subList(from, to);
                DeadSet set = DeadSet.NONE;
                int[] numbers = new int[some.size()];
                for (int i = 0; i < some.size(); i++) {
                    if (random.nextInt(4) < mostDead || mostDead == 2 && from == 0) {
                        set = set.with(i);
                        numbers[i] = -1;
                    } else {
                        numbers[i] = live.size();
                        live.add(some.get(i));
                    }
                }
                inputs.add(archive.build(some));
                dead.add(set);
                expected.add(numbers);
                from = to;
            }
            try (Merged merged = merge(archive, inputs, dead)) {
                assertThat(merged.newNumbers()).isDeepEqualTo(expected.toArray(int[][]::new));
                new PlainSegment(live).requireSameAnswers(archive.keep(merged.segment()), random);
            }
        }
    }

    @Test
    void mergesWhatWasMerged() throws Exception {
        SplittableRandom random = seed.random("levels");
        Archives archive = new Archives(seed, "levels");
        List<ArchivedDocument> all = Archives.random(random, 900, 40);
        List<SegmentReader> level = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            level.add(archive.build(all.subList(100 * i, 100 * i + 100)));
        }
        while (level.size() > 1) {
            List<SegmentReader> next = new ArrayList<>();
            for (int i = 0; i < level.size(); i += 3) {
                List<SegmentReader> inputs = level.subList(i, i + 3);
                try (Merged merged = merge(archive, inputs, List.of(DeadSet.NONE, DeadSet.NONE, DeadSet.NONE))) {
                    next.add(archive.keep(merged.segment()));
                }
            }
            level = next;
        }
        new PlainSegment(all).requireSameAnswers(level.getFirst(), random);
    }

    @Test
    void dropsAllThatIsDead() throws Exception {
        Archives archive = new Archives(seed, "dead");
        SegmentReader input = archive.build(List.of(Archives.document("a", Keyword.text("text", "owl"))));
        try (Merged merged = merge(archive, List.of(input), List.of(DeadSet.of(0)))) {
            assertThat(merged.newNumbers()).isDeepEqualTo(new int[][] {{-1}});
            SegmentReader reader = archive.keep(merged.segment());
            assertThat(reader.find(WordBytes.of(Keyword.text("text", "owl")))).isNull();
            assertThat(reader.numbers("a")).isEmpty();
            assertThat(reader.entry().layout().documents()).isZero();
            try (Merged again = merge(archive, List.of(reader, reader), List.of(DeadSet.NONE, DeadSet.NONE))) {
                assertThat(again.segment().entry().layout().documents()).isZero();
            }
        }
    }

    /** A function of what its v hashes, without which a page could be sealed twice under one key. */
    @Test
    void sameInputsAndCoinsGiveTheSameBytes() throws Exception {
        List<ArchivedDocument> all = Archives.random(seed.random("same"), 300, 30);
        List<byte[]> objects = new ArrayList<>();
        List<byte[]> vs = new ArrayList<>();
        for (int[] dead : new int[][] {{5}, {5}, {6}, {}}) {
            Archives archive = new Archives(seed, "same");
            List<SegmentReader> inputs =
                    List.of(archive.build(all.subList(0, 100)), archive.build(all.subList(100, 300)));
            try (Merged merged = merge(archive, inputs, List.of(DeadSet.of(dead), DeadSet.NONE))) {
                objects.add(merged.segment().object().open().readAllBytes());
                vs.add(merged.segment().entry().v());
            }
        }
        assertThat(objects.get(0)).isEqualTo(objects.get(1));
        assertThat(vs.get(0)).isEqualTo(vs.get(1)).isNotEqualTo(vs.get(2));
        assertThat(vs.get(3)).isNotEqualTo(vs.get(0)).isNotEqualTo(vs.get(2));
        for (int from : new int[] {0, 1}) {
            Archives archive = new Archives(seed, "same");
            SegmentReader input = archive.build(all.subList(from, 100));
            try (Merged merged =
                    SegmentMerger.merge(List.of(input), List.of(DeadSet.NONE), folder, new StuckRandom())) {
                vs.add(merged.segment().entry().v());
            }
        }
        assertThat(vs.get(4)).isNotEqualTo(vs.get(5));
    }

    @Test
    void leavesNothingWhenAnInputIsDamaged() throws Exception {
        Archives archive = new Archives(seed, "damaged");
        SealedSegment sealed = archive.seal(Archives.random(seed.random("damaged"), 200, 30));
        byte[] bytes = sealed.object().open().readAllBytes();
        SegmentLayout layout = sealed.entry().layout();
        SplittableRandom random = seed.random("places");
        for (int i = 0; i < 60; i++) {
            int place = random.nextInt(
                    (int) layout.placeOf(SegmentPart.DOCUMENT_FENCES), (int) layout.placeOf(SegmentPart.PADDING));
            byte[] other = bytes.clone();
            other[place] ^= 1;
            SegmentReader input = new SegmentReader(new FixedBlob(other), archive.keys, sealed.entry());
            assertThatThrownBy(() -> merge(archive, List.of(input), List.of(DeadSet.NONE)))
                    .isInstanceOf(DamagedObjectException.class)
                    .hasMessageContaining(sealed.entry().name().value());
        }
    }

    @Test
    void refusesDeadSetsThatDoNotBelong() throws Exception {
        Archives archive = new Archives(seed, "refuses");
        SegmentReader input = archive.build(List.of(Archives.document("a")));
        assertThatThrownBy(() -> merge(archive, List.of(), List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> merge(archive, List.of(input), List.of()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> merge(archive, List.of(input), List.of(DeadSet.of(1))))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
