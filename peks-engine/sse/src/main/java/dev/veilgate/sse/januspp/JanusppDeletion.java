package dev.veilgate.sse.januspp;

import dev.veilgate.peks.Keyword;
import dev.veilgate.secret.Secret;
import dev.veilgate.sse.CellStore.Cells;
import dev.veilgate.sse.Document;
import dev.veilgate.sse.Done;
import dev.veilgate.sse.Exchange;
import dev.veilgate.sse.Message;
import dev.veilgate.sse.OpenMessage;
import dev.veilgate.sse.RefusedException;
import dev.veilgate.sse.SseException;
import dev.veilgate.sse.Turn;
import dev.veilgate.sse.UsedIds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A deletion, before which each of its words that has had as many as its keys take is searched, so that it has fresh
 * ones: a search that nobody asked for.
 */
@Secret
final class JanusppDeletion implements Exchange<Done> {
    private final JanusppOwner owner;
    private final List<Document> documents;
    private @Nullable JanusppSearch search;

    JanusppDeletion(JanusppOwner owner, List<Document> documents) {
        this.owner = owner;
        this.documents = documents;
    }

    @Override
    public Turn<Done> begin() throws SseException {
        Optional<WordKeys> full = owner.state().transact(this::firstFull);
        if (full.isPresent()) {
            search = owner.search(full.get());
            return new Turn<>(search.begin().send(), Optional.empty(), false);
        }
        search = null;
        Optional<byte[]> message = owner.state().transact(cells -> {
            OpenMessage.requireNone(cells);
            return owner.delete(cells, documents);
        });
        return message.map(bytes -> Turn.<Done>ask(Message.of(bytes))).orElse(Turn.end(Done.DONE));
    }

    private Optional<WordKeys> firstFull(Cells cells) throws SseException {
        OpenMessage.requireNone(cells);
        Map<Keyword, Integer> deletions = new HashMap<>();
        for (Document document : documents) {
            if (UsedIds.isLive(cells, document.id())) {
                document.words().keySet().forEach(word -> deletions.merge(word, 1, Integer::sum));
            }
        }
        for (Map.Entry<Keyword, Integer> each : deletions.entrySet()) {
            if (each.getValue() > owner.mostDeletions()) {
                throw new RefusedException("at most " + owner.mostDeletions()
                        + " documents that share a word can be deleted at a time: give fewer");
            }
            WordKeys keys = owner.keys(each.getKey());
            if (WordState.of(cells, keys.name()).deleted() + each.getValue() > owner.mostDeletions()) {
                return Optional.of(keys);
            }
        }
        return Optional.empty();
    }

    @Override
    public Turn<Done> next(List<Message> answers) throws SseException {
        if (search == null) {
            return OpenMessage.closed(owner.state(), answers, Done.DONE);
        }
        search.next(answers);
        return begin();
    }
}
