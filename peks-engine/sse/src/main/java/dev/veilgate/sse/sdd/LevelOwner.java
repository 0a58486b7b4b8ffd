package dev.veilgate.sse.sdd;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.Capabilities;
import dev.veilgate.sse.CellStore;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Hits;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.SingleTurn;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.SseExpression;
import dev.veilgate.sse.SseOwner;
import dev.veilgate.sse.Turn;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The owner of both schemes: updates are saved before they are sent, a search asks all parts at once and
 * cancels additions that were deleted.
 */
@Secret
abstract class LevelOwner implements SseOwner {
    private final String scheme;
    private final Capabilities capabilities;
    private final int capacity;
    private final LevelKeys keys;
    private final OwnerState state;
    private final SecureRandom random;

    LevelOwner(String scheme, Capabilities capabilities, LevelKeys keys, CellStore state, SecureRandom random) {
        this.scheme = scheme;
        this.capabilities = capabilities;
        this.capacity = (int) capabilities.capacity().orElseThrow();
        this.keys = keys;
        this.state = new OwnerState(state);
        this.random = random;
    }

    final LevelKeys keys() {
        return keys;
    }

    final OwnerState state() {
        return state;
    }

    final SecureRandom random() {
        return random;
    }

    /** The parts that a search asks, when there were so many updates. */
    abstract List<Part> parts(int count);

    /** Goes on with updates that are saved. */
    abstract Exchange<Done> continued(OwnerState.Pending pending);

    @Override
    public final Exchange<Done> add(List<Document> documents) throws SseException {
        return update(documents, false);
    }

    @Override
    public final Exchange<Done> delete(List<Document> documents) throws SseException {
        return update(documents, true);
    }

    private Exchange<Done> update(List<Document> documents, boolean deletion) throws SseException {
        List<Entry> entries = new ArrayList<>();
        for (Document document : documents) {
            document.words().keySet().stream()
                    .map(keys::handle)
                    .map(word ->
                            new Entry(word.high(), word.low(), document.id().value(), deletion))
                    .forEach(entries::add);
        }
        if (state.isDone(entries)) {
            return new Updates(List.of());
        }
        OwnerState.requireRoom(state.count(), entries.size(), capacity);
        Collections.shuffle(entries, random); // their order would be that of the alphabet
        return new Updates(entries);
    }

    /** Saves updates, then carries them out; there is nothing to be said of none. */
    private final class Updates implements Exchange<Done> {
        private final List<Entry> entries;
        private Exchange<Done> rest = SingleTurn.of(() -> new byte[0], _ -> Done.DONE);

        Updates(List<Entry> entries) {
            this.entries = entries;
        }

        @Override
        public Turn<Done> begin() throws SseException {
            if (entries.isEmpty()) {
                return Turn.end(Done.DONE);
            }
            byte[] coins = new byte[OwnerState.Pending.COINS_BYTES];
            random.nextBytes(coins);
            rest = continued(state.begin(coins, entries, capacity));
            return rest.begin();
        }

        @Override
        public Turn<Done> next(List<Message> answers) throws SseException {
            return rest.next(answers);
        }
    }

    @Override
    public final List<Exchange<?>> unfinished() {
        return List.copyOf(state.pending().map(this::continued).stream().toList());
    }

    @Override
    public final Exchange<Hits> search(SseExpression question) throws SseException {
        capabilities.requireCanAsk(question, scheme);
        return new Search(keys.handle(((SseExpression.Word) question).word()));
    }

    /** A search: tokens of all parts in one message. */
    private final class Search implements Exchange<Hits> {
        private final Entry.Handle word;
        private final List<LevelKeys.Token> tokens = new ArrayList<>();
        private int count;

        Search(Entry.Handle word) {
            this.word = word;
        }

        @Override
        public Turn<Hits> begin() throws SseException {
            count = state.settled();
            List<Part> parts = parts(count);
            tokens.clear();
            parts.forEach(part -> tokens.add(keys.token(part, word)));
            List<byte[]> labelKeys = tokens.stream().map(LevelKeys.Token::label).toList();
            return Turn.ask(Message.of(LevelMessages.search(count, parts, labelKeys)));
        }

        @Override
        public Turn<Hits> next(List<Message> answers) throws SseException {
            return Turn.end(SingleTurn.readOne(answers, this::read));
        }

        private Hits read(byte[] bytes) throws MalformedEncodingException, SseException {
            LevelMessages.Answer answer = LevelMessages.Answer.read(bytes).requireParts(tokens.size());
            if (count > 0) { // an owner who never updated asked for nothing
                LevelMessages.requireCount(answer.count(), count);
            }
            Cancellation cancellation = new Cancellation();
            for (int i = 0; i < tokens.size(); i++) {
                byte[] values = answer.parts().get(i);
                if (values.length % Blocks.BYTES != 0) {
                    throw new MalformedEncodingException("answer", "must have values of " + Blocks.BYTES + " bytes");
                }
                cancellation.take(keys.open(tokens.get(i), values));
            }
            return cancellation.hits();
        }
    }

    /** Lets go of the keys, which only this object has. */
    @Override
    public final void close() {}
}
