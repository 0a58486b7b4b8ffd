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

    private static Document document(long id, Keyword word) {
        return Document.of(new DocumentId(id), List.of(word));
    }

    @Test
    void whatALostDeletionTakesWithItIsNamed() throws Exception {
        JanusppScheme scheme = new JanusppScheme();
        Parameters parameters = Parameters.of(scheme, Map.of("deletions", 5L));
        ReplayableRandom coins = new ReplayableRandom(TestSeed.of(getClass()).coins("archive"));
        ArchiveKey key = ArchiveKey.random(coins);
        SseOwner owner = scheme.owner(key, new MemoryCells(), parameters, coins);
        MemoryCells cells = new MemoryCells();
        Channel server = Channel.to(scheme.server(cells, parameters));
        server.run(owner.add(List.of(document(1, OWL), document(2, OWL), document(3, OWL), document(9, HAWK))));
        server.run(owner.search(new SseExpression.Word(OWL)));
        server.run(owner.add(List.of(document(4, OWL))));
        server.run(owner.delete(List.of(document(1, OWL))));
        MemoryCells old = cells.copy();
        server.run(owner.delete(List.of(document(2, OWL))));

        Channel restored = Channel.to(scheme.server(old, parameters));
        Hits hits = restored.run(owner.search(new SseExpression.Word(OWL)));
        assertThat(hits.ids()).containsExactly(new DocumentId(2), new DocumentId(3));
        assertThat(hits.findings())
                .containsExactly("documents with this word are missing, and others stand in their place");
        assertThat(owner.unfinished()).isEmpty();
        restored.run(owner.add(List.of(document(5, OWL))));
        assertThat(restored.run(owner.search(new SseExpression.Word(OWL))).ids()).contains(new DocumentId(5));
        assertThat(restored.run(owner.search(new SseExpression.Word(HAWK))).findings())
                .isEmpty();
    }
}
