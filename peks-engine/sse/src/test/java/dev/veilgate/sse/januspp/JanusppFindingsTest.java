package dev.veilgate.sse.januspp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server that was restored from a copy is found out, and does not stop the owner for ever. */
class JanusppFindingsTest {
    private static final Keyword OWL = Keyword.text("subject", "owl");
    private static final Keyword HAWK = Keyword.text("subject", "hawk");

    private final JanusppScheme scheme = new JanusppScheme();
    private final ReplayableRandom coins =
            new ReplayableRandom(TestSeed.of(JanusppFindingsTest.class).coins("archive"));
    private final ArchiveKey key = ArchiveKey.random(coins);
    private final Parameters parameters;
    private final SseOwner owner;
    private final MemoryCells cells = new MemoryCells();

    JanusppFindingsTest() throws Exception {
        parameters = Parameters.of(scheme, Map.of("deletions", 5L));
        owner = scheme.owner(key, new MemoryCells(), parameters, coins);
    }

    private static Document document(long id, Keyword word) {
        return Document.of(new DocumentId(id), List.of(word));
    }

    private Channel server(MemoryCells its) {
        return Channel.to(scheme.server(its, parameters));
    }

    @Test
    void whatALostDeletionTakesWithItIsNamed() throws Exception {
        Channel server = server(cells);
        server.run(owner.add(List.of(document(1, OWL), document(2, OWL), document(3, OWL), document(9, HAWK))));
        server.run(owner.search(new SseExpression.Word(OWL)));
        server.run(owner.add(List.of(document(4, OWL))));
        server.run(owner.delete(List.of(document(1, OWL))));
        MemoryCells old = cells.copy();
        server.run(owner.delete(List.of(document(2, OWL))));

        Channel restored = server(old);
        Hits hits = restored.run(owner.search(new SseExpression.Word(OWL)));
        assertThat(hits.ids()).containsExactly(new DocumentId(2), new DocumentId(3));
        assertThat(hits.findings())
                .containsExactly("documents with this word are missing, and others stand in their place");
        assertThat(owner.unfinished()).isEmpty();
        restored.run(owner.add(List.of(document(5, OWL))));
        assertThat(restored.run(owner.search(new SseExpression.Word(OWL))).ids())
                .contains(new DocumentId(5));
        assertThat(restored.run(owner.search(new SseExpression.Word(HAWK))).findings())
                .isEmpty();
    }

    @Test
    void whatALostSearchFoundIsNamed() throws Exception {
        Channel server = server(cells);
        server.run(owner.add(List.of(document(1, OWL))));
        server.run(owner.search(new SseExpression.Word(OWL)));
        MemoryCells old = cells.copy();
        server.run(owner.add(List.of(document(2, OWL))));
        server.run(owner.search(new SseExpression.Word(OWL)));
        Hits hits = server(old).run(owner.search(new SseExpression.Word(OWL)));
        assertThat(hits.ids()).containsExactly(new DocumentId(1));
        assertThat(hits.findings()).singleElement().asString().startsWith("1 of 2 documents with this word");
    }
}
