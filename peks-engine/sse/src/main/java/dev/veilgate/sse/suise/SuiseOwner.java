package dev.veilgate.sse.suise;

import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Answers;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.SingleTurn;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.Terms;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The owner's side. Its state is the history of searches: a token that was sent is named at later additions, for the
 * server looks for it in the kept answers only. So it is saved before it is sent, with how many there were before it.
 */
@Secret
final class SuiseOwner implements SseOwner {
    private static final String HISTORY = "searched";

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
                () -> SuiseMessages.add(documents.stream().map(this::entry).toList()), Answers::readDone);
    }

    private SuiseMessages.Entry entry(Document document) {
        return state.transact(cells -> {
            List<byte[]> ciphertexts = new ArrayList<>();
            SortedMap<byte[], byte[]> searched = new TreeMap<>(Arrays::compareUnsigned); // by the order of searches
            for (byte[] term : terms.of(document).keySet()) {
                byte[] token = suise.searchToken(term);
                ciphertexts.add(suise.encrypt(token));
                byte[] order = cells.get(HISTORY, token);
                if (order != null) {
                    searched.put(order, token);
                }
            }
            ciphertexts.sort(Arrays::compareUnsigned);
            return new SuiseMessages.Entry(document.id(), ciphertexts, List.copyOf(searched.values()));
        });
    }

    @Override
    public Exchange<Done> delete(List<Document> documents) {
        return SingleTurn.of(
                () -> SuiseMessages.delete(documents.stream().map(Document::id).toList()), Answers::readDone);
    }

    @Override
    public Exchange<Hits> search(SseExpression question) throws SseException {
        capabilities.requireCanAsk(question, SuiseScheme.ID);
        List<SseExpression> parts = question instanceof SseExpression.AllOf all ? all.parts() : List.of(question);
        return SingleTurn.of(
                () -> {
                    List<byte[]> tokens = parts.stream()
                            .map(part -> suise.searchToken(Terms.of(part)))
                            .toList();
                    state.transact(cells -> {
                        for (byte[] token : tokens) {
                            if (cells.get(HISTORY, token) == null) {
                                byte[] order = ByteBuffer.allocate(Long.BYTES)
                                        .putLong(cells.count(HISTORY))
                                        .array();
                                cells.put(HISTORY, token, order);
                            }
                        }
                        return Done.DONE;
                    });
                    return SuiseMessages.search(tokens);
                },
                answer -> Hits.of(Answers.readIds(answer)));
    }

    /** None: an addition or deletion whose answer was lost is sent again by whoever wanted it, and changes nothing. */
    @Override
    public List<Exchange<?>> unfinished() {
        return List.of();
    }

    @Override
    public void close() {}
}
