package dev.veilgate.sse.sdd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseScheme;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** All levels but the smallest have their counters in oblivious maps. */
class SddWithMapsTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new SddScheme();
    }

    @Override
    protected Parameters parameters() throws RefusedException {
        return Parameters.of(scheme(), Map.of("levels", 12L, "own-levels", 2L));
    }

    private LevelCases cases(long levels, long ownLevels) throws RefusedException {
        Parameters parameters = Parameters.of(scheme(), Map.of("levels", levels, "own-levels", ownLevels));
        return new LevelCases(
                scheme(),
                parameters,
                new ReplayableRandom(TestSeed.of(getClass()).coins("cases")));
    }

    @Test
    void fillsUpAndRefusesMore() throws Exception {
        LevelCases archive = cases(5, 1);
        for (int i = 0; i < 62; i++) {
            assertThat(archive.search()).hasSize(i);
            archive.add(i);
        }
        assertThat(archive.search()).hasSize(62);
        assertThatThrownBy(() -> archive.add(62))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("room for 0 more");
        assertThat(archive.search()).hasSize(62);
    }

    @Test
    void takesTheTurnsOfItsHighestMap() throws Exception {
        LevelCases archive = cases(6, 3);
        SddLevels levels = new SddLevels(6, 3);
        List<Long> taken = new ArrayList<>();
        for (int i = 0; i < levels.capacity(); i++) {
            long before = archive.turns;
            archive.add(i);
            taken.add(archive.turns - before);
            assertThat(taken.getLast()).isEqualTo(levels.turns(i));
        }
        assertThat(taken.getFirst()).isEqualTo(2);
        assertThat(taken.getLast()).isEqualTo(2 + 6);
        assertThat(scheme().capabilities(Parameters.of(scheme(), Map.of("levels", 6L, "own-levels", 3L)))
                        .turns()
                        .add())
                .isEqualTo(2 + 6);
        assertThat(scheme().capabilities(Parameters.standard(scheme())).turns().add())
                .isEqualTo(2 + 25);
    }

    @Test
    void everyEntryIsInOneCompletePart() {
        SddLevels levels = new SddLevels(6, 1);
        for (int count = 0; count <= levels.capacity(); count++) {
            List<Integer> entries = new ArrayList<>();
            for (Part part : levels.parts(count)) {
                for (int i = 0; i < part.size(); i++) {
                    entries.add(part.first() + i);
                }
            }
            assertThat(entries).doesNotHaveDuplicates().hasSize(count);
            assertThat(levels.parts(count).stream()
                            .filter(part -> part.level() == 2)
                            .count())
                    .isLessThanOrEqualTo(3);
        }
    }

    @Test
    void serverDropsWhatWasMerged() throws Exception {
        LevelCases archive = cases(8, 1);
        for (int i = 1; i <= 300; i++) {
            archive.add(i);
            assertThat(archive.cells("pairs")).isLessThanOrEqualTo(4L * i);
            assertThat(archive.cells("slots")).isEqualTo(archive.cells("pairs"));
        }
    }

    @Test
    void refusesAServerThatWasRestored() throws Exception {
        LevelCases archive = cases(6, 1);
        for (int i = 0; i < 20; i++) {
            archive.add(i);
        }
        CellStore old = LevelCases.copy(archive.serverCells);
        archive.add(20);
        archive.serverCells = old;
        assertThatThrownBy(archive::search).isInstanceOf(SseException.class).hasMessageContaining("older state");
        assertThatThrownBy(() -> archive.add(21))
                .isInstanceOf(SseException.class)
                .hasMessageContaining("older state");
    }

    /** A server that counts on, but gives a map as it was. */
    @Test
    void refusesAMapThatWasRestored() throws Exception {
        for (String table : List.of("maps", "buckets")) {
            LevelCases archive = cases(6, 1);
            for (int i = 0; i < 20; i++) {
                archive.add(i);
            }
            CellStore old = LevelCases.copy(archive.serverCells);
            archive.add(20);
            archive.serverCells.transact(cells -> old.transact(from -> {
                from.scan(table, new byte[0], (key, value) -> cells.put(table, key, value));
                return table;
            }));
            assertThatThrownBy(() -> archive.add(21))
                    .isInstanceOf(SseException.class)
                    .hasMessageContaining("older");
        }
    }

    @Test
    void refusesAnOwnerWhoWasRestored() throws Exception {
        LevelCases archive = cases(6, 2);
        archive.add(1);
        CellStore old = LevelCases.copy(archive.ownerCells);
        archive.add(2);
        archive.ownerCells = old;
        assertThatThrownBy(archive::search).isInstanceOf(SseException.class).hasMessageContaining("does not know");
        assertThatThrownBy(() -> archive.add(3))
                .isInstanceOf(SseException.class)
                .hasMessageContaining("does not know");
    }

    /** Altered answers to updates are refused, and do no harm: what was begun is gone on with. */
    @Test
    void updatesTakeAnyAnswerForWhatItIs() throws Exception {
        LevelCases archive = cases(6, 2);
        SplittableRandom random = TestSeed.of(getClass()).random("lies");
        int refused = 0;
        for (int i = 0; i < 60; i++) {
            refused += archive.addInSpiteOfLies(i, random);
        }
        assertThat(refused).isGreaterThan(5);
        assertThat(archive.search()).hasSize(60);
    }
}
