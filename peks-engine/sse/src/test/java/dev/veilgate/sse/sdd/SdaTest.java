package dev.veilgate.sse.sdd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseContractTest;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseScheme;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SdaTest extends SseContractTest {
    @Override
    protected SseScheme scheme() {
        return new SdaScheme();
    }

    private LevelCases cases(long levels) throws RefusedException {
        Parameters parameters = Parameters.of(scheme(), Map.of("levels", levels));
        return new LevelCases(
                scheme(),
                parameters,
                new ReplayableRandom(TestSeed.of(getClass()).coins("cases")));
    }

    @Test
    void refusesUpdatesBeyondItsCapacity() throws Exception {
        LevelCases archive = cases(3);
        for (int i = 0; i < 7; i++) {
            archive.add(i);
        }
        assertThatThrownBy(() -> archive.add(7))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("room for 0 more");
        assertThat(archive.search()).hasSize(7);
    }

    /** Who does not know whether it was done, after a crash, does it again. */
    @Test
    void theSameOperationAgainTakesNoRoomAndSaysNothing() throws Exception {
        LevelCases archive = cases(3);
        List<Document> documents = new ArrayList<>();
        for (long id = 0; id < 3; id++) {
            documents.add(Document.of(new DocumentId(id), List.of(LevelCases.OWL)));
        }
        archive.channel().run(archive.owner().add(documents));
        archive.channel().run(archive.owner().add(documents.reversed()));
        assertThat(archive.search()).hasSize(3);
        archive.channel().run(archive.owner().delete(documents));
        long turns = archive.turns;
        archive.channel().run(archive.owner().delete(documents));
        assertThat(archive.turns).isEqualTo(turns);
        assertThat(archive.search()).isEmpty();
        archive.add(7);
        assertThat(archive.search()).containsExactly(new DocumentId(7));
        assertThatThrownBy(() -> archive.add(9)).isInstanceOf(RefusedException.class);
    }

    @Test
    void keepsAPairAnUpdate() throws Exception {
        LevelCases archive = cases(8);
        for (int i = 1; i <= 100; i++) {
            archive.add(i);
            assertThat(archive.cells("pairs")).isEqualTo(i);
            assertThat(archive.cells("rolls")).isEqualTo(Integer.bitCount(i));
        }
    }

    @Test
    void refusesAServerThatWasRestored() throws Exception {
        LevelCases archive = cases(8);
        archive.add(1);
        CellStore old = LevelCases.copy(archive.serverCells);
        archive.add(2);
        archive.serverCells = old;
        assertThatThrownBy(archive::search).isInstanceOf(SseException.class).hasMessageContaining("older state");
        assertThatThrownBy(() -> archive.add(3))
                .isInstanceOf(SseException.class)
                .hasMessageContaining("older state");
    }

    @Test
    void refusesAnOwnerWhoWasRestored() throws Exception {
        LevelCases archive = cases(8);
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
        LevelCases archive = cases(8);
        SplittableRandom random = TestSeed.of(getClass()).random("lies");
        int refused = 0;
        for (int i = 0; i < 60; i++) {
            refused += archive.addInSpiteOfLies(i, random);
        }
        assertThat(refused).isGreaterThan(5);
        assertThat(archive.search()).hasSize(60);
    }

    @Test
    void alteredEntriesAreFindings() throws Exception {
        LevelCases archive = cases(4);
        for (int i = 0; i < 4; i++) {
            archive.add(i);
        }
        archive.serverCells.transact(cells -> {
            List<byte[]> keys = new ArrayList<>();
            cells.scan("pairs", new byte[0], (key, _) -> keys.add(key));
            byte[] value =
                    Objects.requireNonNull(cells.get("pairs", keys.getFirst())).clone();
            value[3] ^= 1;
            cells.put("pairs", keys.getFirst(), value);
            return value;
        });
        Hits hits = archive.channel().run(archive.owner().search(new SseExpression.Word(LevelCases.OWL)));
        assertThat(hits.findings()).singleElement().asString().contains("altered");
        assertThat(hits.documents()).hasSize(3);
    }

    @Test
    void aServerGivesEachPartOnce() throws Exception {
        LevelCases archive = cases(4);
        archive.add(1);
        Part part = new Part(0, 0);
        byte[] key = new byte[Blocks.BYTES];
        byte[] once = LevelMessages.search(1, List.of(part, new Part(1, 0)), List.of(key, key));
        assertThat(archive.channel().send(List.of(Message.of(once)))).hasSize(1);
        byte[] twice = LevelMessages.search(1, List.of(part, part), List.of(key, key));
        assertThatThrownBy(() -> archive.channel().send(List.of(Message.of(twice))))
                .isInstanceOf(SseException.class)
                .hasMessageContaining("different parts");
    }

    /** Searches would else show which of two words comes first in the alphabet. */
    @Test
    void theOrderOfADocumentsWordsIsRandom() throws Exception {
        ReplayableRandom coins = new ReplayableRandom(TestSeed.of(getClass()).coins("order"));
        ArchiveKey key = ArchiveKey.random(coins);
        List<Keyword> words = new ArrayList<>();
        for (char letter = 'a'; letter < 'p'; letter++) {
            words.add(Keyword.text("subject", String.valueOf(letter)));
        }
        Set<List<Entry>> orders = new HashSet<>();
        for (int i = 0; i < 3; i++) {
            MemoryCells cells = new MemoryCells();
            scheme().owner(key, cells, parameters(), coins)
                    .add(List.of(Document.of(new DocumentId(1), words)))
                    .begin();
            orders.add(new OwnerState(cells).pending().orElseThrow().entries());
        }
        assertThat(orders).hasSize(3);
    }
}
