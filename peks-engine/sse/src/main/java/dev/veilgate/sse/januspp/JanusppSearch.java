package dev.veilgate.sse.januspp;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.DocumentId;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.OpenMessage;
import dev.veilgate.sse.SetSum;
import dev.veilgate.sse.SingleTurn;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.Turn;
import java.util.ArrayList;
import java.util.List;

/** A search of one turn, or one that a crash left open. The word's next entries are under fresh keys. */
@Secret
final class JanusppSearch implements Exchange<Hits> {
    private final Puncturable scheme;
    private final CellStore state;
    private final WordKeys keys;
    private boolean withUpdates;

    JanusppSearch(Puncturable scheme, CellStore state, WordKeys keys) {
        this.scheme = scheme;
        this.state = state;
        this.keys = keys;
    }

    @Override
    public Turn<Hits> begin() throws SseException {
        OpenMessage.Begun begun = OpenMessage.begin(state, keys.encode(), this::message);
        withUpdates = begun.saved();
        return Turn.ask(Message.of(begun.message()));
    }

    private byte[] message(Cells cells) throws SseException {
        WordState word = WordState.of(cells, keys.name());
        if (!word.hasUpdates()) {
            return JanusppMessages.again(MessageOrder.last(cells), keys.cache(), word.generation() - 1);
        }
        byte[] rest = scheme.rest(keys.secret(word.generation()), word.deleted());
        byte[] message =
                JanusppMessages.search(MessageOrder.next(cells), keys, word.generation(), word.deleted(), rest);
        new OpenMessage(keys.encode(), message).save(cells);
        return message;
    }

    @Override
    public Turn<Hits> next(List<Message> answers) throws SseException {
        List<DocumentId> ids = SingleTurn.readOne(answers, answer -> {
            MessageOrder.requireAccepted(answer);
            return JanusppMessages.readFound(answer);
        });
        SetSum expected = state.transact(cells -> {
            WordState word = WordState.of(cells, keys.name());
            if (withUpdates) {
                OpenMessage.requireOpen(cells, keys.encode());
                word.searched().save(cells, keys.name());
                OpenMessage.clear(cells);
            }
            return word.live();
        });
        return Turn.end(hits(ids, expected));
    }

    private Hits hits(List<DocumentId> ids, SetSum expected) {
        SetSum sum = keys.sum(ids);
        List<String> findings = new ArrayList<>();
        if (sum.count() < expected.count()) {
            findings.add((expected.count() - sum.count()) + " of " + expected.count()
                    + " documents with this word are missing: they have the tag of a deleted one, or the server lost"
                    + " them");
        } else if (!sum.equals(expected)) {
            findings.add("documents with this word are missing, and others stand in their place");
        }
        return new Hits(Hits.of(ids).documents(), findings);
    }
}
