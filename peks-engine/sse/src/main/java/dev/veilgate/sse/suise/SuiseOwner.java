package dev.veilgate.sse.suise;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.SingleTurn;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.Terms;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The owner's side. Its state is the history of searches: a token that was sent is named at later additions, for the
 * server looks for it in the kept answers only. So it is saved before it is sent, with how many there were before it;
 * and each message says which history it knows of, as an owner with an older one would lose what she adds.
 */
@Secret
final class SuiseOwner implements SseOwner {
    private final Suise suise;
    private final CellStore state;
    private final Terms terms;
    private final Capabilities capabilities;

    SuiseOwner(Suise suise, CellStore state, Terms terms, Capabilities capabilities) {
        this.suise = suise;
        this.state = state;
        this.terms = terms;
        this.capabilities = capabilities;
    }

    @Override
    public Exchange<Done> add(List<Document> documents) {
        return SingleTurn.of(
                () -> state.transact(cells -> SuiseMessages.add(
                        SuiseHistory.states(cells),
                        documents.stream()
                                .map(document -> entry(cells, document))
                                .toList())),
                SuiseOwner::readDone);
    }

    private SuiseMessages.Entry entry(Cells cells, Document document) {
        List<byte[]> ciphertexts = new ArrayList<>();
        SortedMap<byte[], byte[]> searched = new TreeMap<>(Arrays::compareUnsigned); // by the order of searches
        for (byte[] term : terms.of(document).keySet()) {
            byte[] token = suise.searchToken(term);
            ciphertexts.add(suise.encrypt(token));
            byte[] order = SuiseHistory.order(cells, token);
            if (order != null) {
                searched.put(order, token);
            }
        }
        ciphertexts.sort(Arrays::compareUnsigned);
        return new SuiseMessages.Entry(document.id(), ciphertexts, List.copyOf(searched.values()));
    }

    @Override
    public Exchange<Done> delete(List<Document> documents) {
        return SingleTurn.of(
                () -> state.transact(cells -> SuiseMessages.delete(
                        SuiseHistory.states(cells),
                        documents.stream().map(Document::id).toList())),
                SuiseOwner::readDone);
    }

    private static Done readDone(byte[] answer) throws SseException, MalformedEncodingException {
        MessageOrder.requireAccepted(answer);
        return Answers.readDone(answer);
    }

    @Override
    public Exchange<Hits> search(SseExpression question) throws SseException {
        capabilities.requireCanAsk(question, SuiseScheme.ID);
        List<SseExpression> parts = question instanceof SseExpression.AllOf all ? all.parts() : List.of(question);
        AtomicLong sent = new AtomicLong();
        return SingleTurn.of(
                () -> state.transact(cells -> {
                    List<byte[]> tokens = new ArrayList<>();
                    for (SseExpression part : parts) {
                        tokens.add(suise.searchToken(Terms.of(part)));
                        SuiseHistory.send(cells, tokens.getLast());
                    }
                    SuiseHistory.States states = SuiseHistory.states(cells);
                    sent.set(states.last());
                    return SuiseMessages.search(states, tokens);
                }),
                answer -> {
                    MessageOrder.requireAccepted(answer);
                    Hits hits = Hits.of(Answers.readIds(answer));
                    state.transact(cells -> SuiseHistory.answered(cells, sent.get()));
                    return hits;
                });
    }

    /** None: an addition or deletion whose answer was lost is sent again by whoever wanted it, and changes nothing. */
    @Override
    public List<Exchange<?>> unfinished() {
        return List.of();
    }

    @Override
    public void close() {}
}
