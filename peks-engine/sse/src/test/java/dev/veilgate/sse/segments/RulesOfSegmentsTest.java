package dev.veilgate.sse.segments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.StuckRandom;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Segments whose words were made by different rules. */
class RulesOfSegmentsTest extends KeyedArchive {
    /** By rules 1 it is about word 1, by others about word 2. */
    private static final QuestionByRules ASKED = rules -> new Question.Word(word(rules == 1 ? 1 : 2));

    private static void add(SegmentArchive archive, int rules, String name, int content) throws IOException {
        archive.add(archive.prepare(List.of(document(archive, name, content)), rules));
    }

    private static Set<String> found(SegmentArchive archive, QuestionByRules asked) throws IOException {
        Set<String> names = new TreeSet<>();
        for (boolean best : new boolean[] {false, true}) {
            SegmentArchive.Found found = archive.search(asked, 100, best);
            found.hits().forEach(hit -> names.add(hit.document().name()));
            assertThat(found.hits()).hasSize(names.size());
        }
        return names;
    }

    private static List<Integer> rules(SegmentArchive archive) throws IOException {
        return archive.state().segments().stream()
                .map(segment -> segment.entry().layout().rules())
                .sorted()
                .toList();
    }

    @Test
    void eachIsAskedByTheRulesOfItsWords() throws Exception {
        SegmentArchive archive = create(0);
        archive.add(List.of(document(archive, "silent", 1)));
        add(archive, 1, "first", 1);
        add(archive, 2, "later", 2);
        add(archive, 1, "first of the other word", 2);
        add(archive, 2, "later of the other word", 1);
        assertThat(rules(archive)).containsExactly(1, 1, 1, 2, 2);
        assertThat(found(archive, ASKED)).containsExactly("first", "later", "silent");
        assertThat(found(archive, rules -> new Question.Not(ASKED.of(rules))))
                .containsExactly("first of the other word", "later of the other word");
        assertThatThrownBy(() -> archive.search(
                        rules -> {
                            if (rules == 2) {
                                throw new RefusedException("not by these");
                            }
                            return ALL;
                        },
                        1,
                        false))
                .hasMessage("not by these");
    }

    @Test
    void thoseOfDifferentRulesAreNotMergedButAreAsOneOtherwise() throws Exception {
        SegmentArchive archive = create(0);
        for (int i = 0; i < 20; i++) {
            add(archive, 1 + i % 2, "name" + i, 1 + i % 2);
        }
        add(archive, 2, "name0", 2); // takes the place of one of rules 1
        while (archive.merge(folder)) {
            assertThat(rules(archive)).contains(1, 2);
        }
        assertThat(rules(archive)).hasSizeLessThan(10);
        archive.compact(folder);
        assertThat(rules(archive)).containsExactly(1, 2);
        String[] all = IntStream.range(0, 20).mapToObj(i -> "name" + i).toArray(String[]::new);
        assertThat(found(archive, ASKED)).containsExactlyInAnyOrder(all);
        EpochKey next = newest.next(coins);
        SegmentArchive anew = open(ring(next));
        anew.rekey(folder);
        assertThat(rules(anew)).as("under a new key").containsExactly(1, 2);
        assertThat(found(anew, ASKED)).containsExactlyInAnyOrder(all);
        SegmentReader one = new OpenSegments(objects, SegmentKeys.of(next, ID), coins, java.time.InstantSource.system())
                .reader(anew.state().segments().getFirst().entry());
        SegmentReader other = new OpenSegments(
                        objects, SegmentKeys.of(next, ID), coins, java.time.InstantSource.system())
                .reader(anew.state().segments().getLast().entry());
        assertThatThrownBy(() ->
                        SegmentMerger.merge(List.of(one, other), List.of(DeadSet.NONE, DeadSet.NONE), folder, coins))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rules");
    }

    @Test
    void rulesAreBoundAsAllElseOfASegment() throws Exception {
        SegmentArchive archive = create(0);
        SegmentKeys keys = SegmentKeys.of(key, ID);
        SegmentEntry first = sealed(keys, 1, archive);
        SegmentEntry later = sealed(keys, 2, archive);
        assertThat(first.layout().bytes()).isEqualTo(later.layout().bytes());
        assertThat(first.v())
                .as("of the same words and the same random numbers")
                .isNotEqualTo(later.v());
        assertThat(sealed(keys, 2, archive).v()).isEqualTo(later.v());
    }

    private static SegmentEntry sealed(SegmentKeys keys, int rules, SegmentArchive archive) throws IOException {
        SegmentBuilder builder = new SegmentBuilder(keys, rules, new StuckRandom());
        builder.add(document(archive, "name", 1));
        return builder.finish().entry();
    }
}
