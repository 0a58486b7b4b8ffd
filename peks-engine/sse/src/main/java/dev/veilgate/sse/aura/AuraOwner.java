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
import dev.veilgate.sse.Message;
import dev.veilgate.sse.MessageOrder;
import dev.veilgate.sse.Prf;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.Turn;
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
    private static final String DOCUMENTS = "documents";
    private static final byte[] LIVE = {1};
    private static final byte[] DELETED = {2};
    private static final byte[] NOTHING = new byte[0];

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
        return new Sending(() -> state.transact(cells -> {
            OpenOperation.requireNone(cells);
            List<Aura.Place> places = new ArrayList<>();
            ByteArrayOutputStream tags = new ByteArrayOutputStream();
            boolean fresh = false;
            for (Document document : documents) {
                if (isNew(cells, document)) {
                    fresh = true;
                    place(cells, document, places, tags);
                }
            }
            return fresh ? Optional.of(addition(cells, places, tags.toByteArray())) : Optional.empty();
        }));
    }

    /** Whether a document was not added yet: the same addition again changes nothing. */
    private static boolean isNew(Cells cells, Document document) throws RefusedException {
        byte[] id = document.id().encode();
        byte[] known = cells.get(DOCUMENTS, id);
        if (known == null) {
            cells.put(DOCUMENTS, id, LIVE);
            return true;
        }
        if (known[0] == DELETED[0]) {
            throw new RefusedException("the document " + document.id() + " was deleted; ids are used once");
        }
        return false;
    }

    private void place(Cells cells, Document document, List<Aura.Place> places, ByteArrayOutputStream tags) {
        for (Keyword word : document.words().keySet()) {
            WordKeys keys = aura.keys(words, word);
            byte[] tag = aura.tagAndWeight(keys, document.id());
            WordState before = WordState.of(cells, keys.name());
            before.plus(tag, Aura.TAG_BYTES).save(cells, keys.name());
            places.add(new Aura.Place(keys, before.generation(), before.added(), document.id()));
            tags.write(tag, 0, Aura.TAG_BYTES);
        }
    }

    private byte[] addition(Cells cells, List<Aura.Place> places, byte[] tags) throws RefusedException {
        if ((long) places.size() * aura.entryBytes() > CellStore.MAX_VALUE_BYTES - (1 << 10)) {
            throw new RefusedException("these documents have " + places.size()
                    + " words together, which are too many for one message: add fewer at a time");
        }
        byte[] message = AuraMessages.add(MessageOrder.next(cells), aura.encrypt(places, tags, random));
        new OpenOperation(AuraMessages.ADD, NOTHING, message).save(cells);
        return message;
    }

    @Override
    public Exchange<Done> delete(List<Document> documents) {
        return new Sending(() -> state.transact(cells -> {
            OpenOperation.requireNone(cells);
            for (Document document : documents) {
                byte[] id = document.id().encode();
                byte[] known = cells.get(DOCUMENTS, id);
                if (known != null && known[0] == LIVE[0]) {
                    cells.put(DOCUMENTS, id, DELETED);
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
        return state.transact(OpenOperation::of).stream()
                .<Exchange<?>>map(this::resumed)
                .toList();
    }

    private Exchange<?> resumed(OpenOperation open) {
        return open.kind() == AuraMessages.SEARCH
                ? new AuraSearch(aura, state, aura.keys(open.word()))
                : new Sending(() -> Optional.of(open.message()));
    }

    /** Sends a message that was saved as open, if there is one, and closes it when it is answered. */
    private final class Sending implements Exchange<Done> {
        private final Making making;

        Sending(Making making) {
            this.making = making;
        }

        @Override
        public Turn<Done> begin() throws SseException {
            return making.message()
                    .map(message -> Turn.<Done>ask(Message.of(message)))
                    .orElse(Turn.end(Done.DONE));
        }

        @Override
        public Turn<Done> next(List<Message> answers) throws SseException {
            return AuraSearch.closed(state, answers, Done.DONE);
        }
    }

    @FunctionalInterface
    private interface Making {
        Optional<byte[]> message() throws SseException;
    }

    @Override
    public void close() {}
}
