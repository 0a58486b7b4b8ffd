package dev.veilgate.sse.aura;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.OpenMessage;
import dev.veilgate.sse.SingleTurn;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.Turn;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A search, or the rest of one that a crash left open.
 *
 * <p>First turn: the server opens what has a place in the tree that is not taken; its answer has the tags of these
 * entries, and of those that it could not open. Second turn, Settle: the owner has the
 * exact tags that are deleted; she gives the ids of the others, and the server drops the rest. The word's next
 * entries are of another generation, with a tree and labels of its own. Without updates since the last search one turn
 * gives what the server has.
 */
@Secret
final class AuraSearch implements Exchange<Hits> {
    private static final byte[] NOTHING = new byte[0];

    private final Aura aura;
    private final CellStore state;
    private final WordKeys keys;
    private boolean withUpdates;
    private Hits hits = Hits.of(List.of());
    private boolean settling;

    AuraSearch(Aura aura, CellStore state, WordKeys keys) {
        this.aura = aura;
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
        byte[] revoked = RevokedTags.of(cells, keys.name());
        if (word.added() == 0 && revoked.length == 0) {
            return AuraMessages.again(MessageOrder.last(cells), keys.cache(), word.generation() - 1);
        }
        BitSet taken = aura.taken(revoked);
        byte[] message = AuraMessages.search(
                MessageOrder.next(cells),
                aura.labelKey(keys, word.generation()),
                keys.cache(),
                word.generation(),
                taken,
                aura.cover(taken, keys, word.generation()));
        new OpenMessage(keys.encode(), message).save(cells);
        return message;
    }

    @Override
    public Turn<Hits> next(List<Message> answers) throws SseException {
        if (settling) {
            return OpenMessage.closed(state, answers, hits);
        }
        AuraMessages.Tags tags = SingleTurn.readOne(answers, answer -> {
            MessageOrder.requireAccepted(answer);
            return AuraMessages.readFound(answer);
        });
        return withUpdates ? settle(tags) : Turn.end(unchanged(tags));
    }

    private Hits unchanged(AuraMessages.Tags tags) {
        WordState word = state.transact(cells -> WordState.of(cells, keys.name()));
        return new FoundTags(aura, keys, tags, NOTHING, word.all()).hits();
    }

    private Turn<Hits> settle(AuraMessages.Tags tags) throws SseException {
        byte[] message = state.transact(cells -> {
            OpenMessage.requireOpen(cells, keys.encode());
            WordState word = WordState.of(cells, keys.name());
            byte[] revoked = RevokedTags.of(cells, keys.name());
            FoundTags found = new FoundTags(aura, keys, tags, revoked, word.all());
            hits = found.hits();
            byte[] settle = AuraMessages.settle(
                    MessageOrder.next(cells), keys.cache(), word.generation(), found.liveSuspects());
            new WordState(word.generation() + 1, 0, found.expectedNext()).save(cells, keys.name());
            RevokedTags.remove(cells, keys.name(), revoked);
            OpenMessage.of(settle).save(cells);
            return settle;
        });
        settling = true;
        return new Turn<>(List.of(Message.of(message)), Optional.of(hits), false);
    }
}
