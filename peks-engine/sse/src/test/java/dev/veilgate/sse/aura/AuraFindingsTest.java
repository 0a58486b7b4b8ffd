package dev.veilgate.sse.aura;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.peks.Keyword;
import dev.veilgate.peks.ReplayableRandom;
import dev.veilgate.random.TestSeed;
import dev.veilgate.sse.ArchiveKey;
import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MemoryCells;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.Parameters;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.SseServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A server that loses, alters or repeats entries is found out. */
class AuraFindingsTest {
    private static final Keyword OWL = Keyword.text("subject", "owl");
    private static final Keyword HAWK = Keyword.text("subject", "hawk");

    private final AuraScheme scheme = new AuraScheme();
    private final Parameters parameters = Parameters.standard(scheme);
    private final ReplayableRandom coins =
            new ReplayableRandom(TestSeed.of(AuraFindingsTest.class).coins("archive"));
    private final ArchiveKey key = ArchiveKey.random(coins);
    private final MemoryCells cells = new MemoryCells();
    private final SseOwner owner = scheme.owner(key, cells, parameters, coins);
    private final MemoryCells serverCells = new MemoryCells();
    private final SseServer server = scheme.server(serverCells, parameters);

    private static Document document(long id) {
        return Document.of(new DocumentId(id), List.of(OWL, HAWK));
    }

    private void add(long... ids) throws Exception {
        for (long id : ids) {
            Channel.to(server).run(owner.add(List.of(document(id))));
        }
    }

    /** Searches, with the tags of every answer altered. */
    private Hits search(Keyword word, UnaryOperator<byte[]> tags) throws Exception {
        Channel lying = messages -> Channel.to(server).send(messages).stream()
                .map(answer -> altered(answer, tags))
                .toList();
        return lying.run(owner.search(new SseExpression.Word(word)));
    }

    private static Message altered(Message answer, UnaryOperator<byte[]> tags) {
        try {
            return Message.of(AuraMessages.found(
                    tags.apply(AuraMessages.readFound(answer.toBytes()).all()), new byte[0]));
        } catch (MalformedEncodingException e) {
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aMissingEntryIsNamedByEachSearch() throws Exception {
        add(1, 2, 3);
        Hits hits = search(OWL, tags -> Arrays.copyOf(tags, tags.length - Aura.TAG_BYTES));
        assertThat(hits.ids()).containsExactly(new DocumentId(1), new DocumentId(2));
        assertThat(hits.findings()).containsExactly("1 of 3 entries of this word are missing");
        // The server did not lose it after all.
        assertThat(search(OWL, tags -> tags).findings()).isEmpty();
        search(OWL, tags -> Arrays.copyOf(tags, tags.length - Aura.TAG_BYTES));
        add(4);
        assertThat(search(OWL, tags -> Arrays.copyOfRange(tags, Aura.TAG_BYTES, tags.length))
                        .findings())
                .containsExactly("1 of 4 entries of this word are missing");
        assertThat(search(HAWK, tags -> tags).findings()).isEmpty();
    }

    @Test
    void anAlteredEntryIsNamedAndLeftOut() throws Exception {
        add(1, 2);
        Hits hits = search(OWL, tags -> {
            tags[3] ^= 1;
            return tags;
        });
        assertThat(hits.ids()).containsExactly(new DocumentId(2));
        assertThat(hits.findings())
                .containsExactly(
                        "1 entries of this word are altered, and left out", "1 of 2 entries of this word are missing");
    }

    @Test
    void anEntryInPlaceOfAnotherIsNamed() throws Exception {
        add(1, 2);
        Hits repeated = search(OWL, tags -> {
            System.arraycopy(tags, 0, tags, Aura.TAG_BYTES, Aura.TAG_BYTES);
            return tags;
        });
        assertThat(repeated.findings())
                .containsExactly("entries of this word are missing, and others stand in their place");
        add(3);
        byte[][] ofOwl = new byte[1][];
        search(OWL, tags -> ofOwl[0] = tags);
        assertThat(search(HAWK, _ -> ofOwl[0]).findings()).contains("3 entries of this word are altered, and left out");
    }

    /** A search forgets which tags are deleted: a server could keep one back until then. */
    @Test
    void aDeletedEntryThatComesBackIsNamed() throws Exception {
        add(1, 2);
        Channel.to(server).run(owner.delete(List.of(document(1))));
        byte[][] all = new byte[1][];
        Hits hits = search(OWL, tags -> {
            all[0] = tags;
            return without(tags, new DocumentId(1));
        });
        assertThat(hits.ids()).containsExactly(new DocumentId(2));
        assertThat(hits.findings()).isEmpty();
        assertThat(search(OWL, _ -> all[0]).findings())
                .containsExactly("entries of this word are missing, and others stand in their place");
        assertThat(search(OWL, tags -> tags).findings()).isEmpty();
    }

    private byte[] without(byte[] tags, DocumentId id) {
        Aura aura = new Aura(TagFilter.of(5, 1_000, 10_000));
        byte[] tag = Arrays.copyOf(aura.tagAndWeight(aura.keys(Aura.words(key), OWL), id), Aura.TAG_BYTES);
        ByteArrayOutputStream others = new ByteArrayOutputStream();
        for (int at = 0; at < tags.length; at += Aura.TAG_BYTES) {
            if (!Arrays.equals(tags, at, at + Aura.TAG_BYTES, tag, 0, Aura.TAG_BYTES)) {
                others.write(tags, at, Aura.TAG_BYTES);
            }
        }
        return others.toByteArray();
    }

    @Test
    void whatAServerLosesThatIsRestoredFromACopyIsNamed() throws Exception {
        add(1);
        search(OWL, tags -> tags);
        MemoryCells old = serverCells.copy();
        add(2);
        search(OWL, tags -> tags);
        Hits hits = Channel.to(scheme.server(old, parameters)).run(owner.search(new SseExpression.Word(OWL)));
        assertThat(hits.ids()).containsExactly(new DocumentId(1));
        assertThat(hits.findings()).containsExactly("1 of 2 entries of this word are missing");
    }

    @Test
    void nothingIsBegunWhileASearchIsOpen() throws Exception {
        add(1);
        owner.search(new SseExpression.Word(OWL)).begin();
        assertThatThrownBy(() -> owner.add(List.of(document(2))).begin())
                .isInstanceOf(SseException.class)
                .hasMessageContaining("not ended");
        assertThat(owner.unfinished()).hasSize(1);
        Channel.to(server).run(owner.unfinished().getFirst());
        assertThat(owner.unfinished()).isEmpty();
        add(2);
        assertThat(search(OWL, tags -> tags).ids()).hasSize(2);
    }

    @Test
    void anIdOfADeletedDocumentIsNotTakenAgain() throws Exception {
        add(1);
        Channel.to(server).run(owner.delete(List.of(document(1))));
        assertThatThrownBy(() -> add(1)).isInstanceOf(RefusedException.class).hasMessageContaining("once");
        assertThat(search(OWL, tags -> tags).ids()).isEmpty();
    }
}
