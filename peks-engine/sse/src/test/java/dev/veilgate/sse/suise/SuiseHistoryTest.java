package dev.veilgate.sse.suise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.peks.Keyword;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.OutdatedStateException;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SuiseHistoryTest {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SuiseScheme scheme = new SuiseScheme();
    private final ArchiveKey key = ArchiveKey.random(RANDOM);
    private final Parameters parameters;
    private final Channel channel;

    SuiseHistoryTest() throws SseException {
        parameters = Parameters.of(scheme, Map.of());
        channel = Channel.to(scheme.server(new MemoryCells(), parameters));
    }

    private SseOwner owner(CellStore cells) throws SseException {
        return scheme.owner(key, cells, parameters, RANDOM);
    }

    private static SseExpression word(String word) {
        return new SseExpression.Word(Keyword.text("subject", word));
    }

    private static List<Document> document(long id, String word) {
        return List.of(Document.of(new DocumentId(id), List.of(Keyword.text("subject", word))));
    }

    /** Sends a question whose answer never comes, or that never arrives. */
    private static void lose(SseOwner owner, String word) throws SseException {
        owner.search(word(word)).begin();
    }

    @Test
    void anOwnerWithAnOlderHistoryIsRefusedHoweverManySearchesItLoses() throws Exception {
        SseOwner owner = owner(new MemoryCells());
        for (int i = 0; i < 5; i++) {
            channel.run(owner.search(word("word " + i)));
        }
        SseOwner older = owner(new MemoryCells());
        for (int i = 0; i < 20; i++) {
            lose(older, "other " + i);
            assertThatThrownBy(() -> channel.run(older.add(document(1, "word 1"))))
                    .isInstanceOf(OutdatedStateException.class);
            assertThatThrownBy(() -> channel.run(older.search(word("word 1"))))
                    .isInstanceOf(OutdatedStateException.class);
        }
        channel.run(owner.add(document(2, "word 1")));
        assertThat(channel.run(owner.search(word("word 1"))).ids()).containsExactly(new DocumentId(2));
    }

    @Test
    void anOwnerGoesOnWhateverWasLostBefore() throws Exception {
        CellStore cells = new MemoryCells();
        for (int i = 0; i < 20; i++) {
            SseOwner owner = owner(cells);
            lose(owner, "lost " + i);
            if (i % 3 == 0) {
                channel.run(owner.add(document(i, "word")));
            }
            if (i % 4 == 0) {
                Hits hits = channel.run(owner.search(word("word")));
                assertThat(hits.ids()).hasSize(i / 3 + 1);
            }
            if (i % 5 == 0) {
                channel.run(owner.search(word("answered " + i)));
            }
        }
    }

    @Test
    void aServerThatWasRestoredFromACopyAnswersByWhatItHas() throws Exception {
        SseOwner owner = owner(new MemoryCells());
        channel.run(owner.search(word("owl")));
        channel.run(owner.search(word("fox")));
        Channel restored = Channel.to(scheme.server(new MemoryCells(), parameters));
        restored.run(owner.add(document(1, "owl")));
        assertThat(restored.run(owner.search(word("owl"))).ids()).containsExactly(new DocumentId(1));
    }

    @Test
    void searchesOfNewWordsAreRefusedWhileTooManyAreUnanswered() throws IOException {
        SseOwner owner = owner(new MemoryCells());
        for (int i = 0; i < SuiseHistory.MAX_UNANSWERED; i++) {
            lose(owner, "word " + i);
        }
        assertThatThrownBy(() -> lose(owner, "one more")).hasMessageContaining("no server has answered");
        channel.run(owner.search(word("word 0")));
        channel.run(owner.search(word("one more")));
    }
}
