package dev.veilgate.sse.aura;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.OpenMessage;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.UsedIds;
import java.io.ByteArrayOutputStream;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The owner's side. Her cells have the state of each word, the tags that were deleted since its last search, the ids of
 * all documents (an id that came twice would have the same tag, by which a server links a new entry to a word searched
 * before), and the message that is not answered yet, with all changes that belong to it.
 */
@Secret
final class AuraOwner implements SseOwner {
    private final Aura aura;
    private final Prf words;
    private final CellStore state;
    private final Capabilities capabilities;
    private final SecureRandom random;

    AuraOwner(Aura aura, Prf words, CellStore state, Capabilities capabilities, SecureRandom random) {
        this.aura = aura;
        this.words = words;
        this.state = state;
        this.capabilities = capabilities;
        this.random = random;
    }

    @Override
    public Exchange<Done> add(List<Document> documents) {
        return OpenMessage.sending(
                state,
                () -> state.transact(cells -> {
                    OpenMessage.requireNone(cells);
                    List<Aura.Place> places = new ArrayList<>();
                    ByteArrayOutputStream tags = new ByteArrayOutputStream();
                    boolean fresh = false;
                    for (Document document : documents) {
                        if (UsedIds.add(cells, document.id())) {
                            fresh = true;
                            place(cells, document, places, tags);
                        }
                    }
                    return fresh ? Optional.of(addition(cells, places, tags.toByteArray())) : Optional.empty();
                }));
    }

    private void place(Cells cells, Document document, List<Aura.Place> places, ByteArrayOutputStream tags) {
        for (Keyword word : document.words().keySet()) {
            WordKeys keys = aura.keys(words, word);
            byte[] tag = aura.tagAndWeight(keys, document.id());
            WordState before = WordState.of(cells, keys.name());
            before.plus(tag, Aura.TAG_BYTES).save(cells, keys.name());
            places.add(aura.place(keys, before.generation(), before.added(), document.id()));
            tags.write(tag, 0, Aura.TAG_BYTES);
        }
    }

    private byte[] addition(Cells cells, List<Aura.Place> places, byte[] tags) throws RefusedException {
        if (places.size() > aura.mostEntries()) {
            throw new RefusedException("these documents have " + places.size() + " words together, and may have "
                    + aura.mostEntries() + ": give fewer documents at a time");
        }
        byte[] message = AuraMessages.add(MessageOrder.next(cells), aura.encrypt(places, tags, random));
        OpenMessage.of(message).save(cells);
        return message;
    }

    @Override
    public Exchange<Done> delete(List<Document> documents) {
        return OpenMessage.sending(
                state,
                () -> state.transact(cells -> {
                    OpenMessage.requireNone(cells);
                    for (Document document : documents) {
                        if (UsedIds.delete(cells, document.id())) {
                            for (Keyword word : document.words().keySet()) {
                                WordKeys keys = aura.keys(words, word);
                                RevokedTags.add(cells, keys.name(), aura.tagAndWeight(keys, document.id()));
                            }
                        }
                    }
                    return Optional.empty();
                }));
    }

    @Override
    public Exchange<Hits> search(SseExpression question) throws SseException {
        capabilities.requireCanAsk(question, AuraScheme.ID);
        return new AuraSearch(aura, state, aura.keys(words, ((SseExpression.Word) question).word()));
    }

    @Override
    public List<Exchange<?>> unfinished() {
        return state.transact(OpenMessage::read).stream()
                .<Exchange<?>>map(this::resumed)
                .toList();
    }

    private Exchange<?> resumed(OpenMessage open) {
        return open.search().length > 0
                ? new AuraSearch(aura, state, aura.keys(open.search()))
                : OpenMessage.sending(state, () -> Optional.of(open.message()));
    }

    @Override
    public void close() {}
}
