package dev.veilgate.sse;

import dev.veilgate.secret.Secret;
import java.util.ArrayList;
import java.util.List;

/**
 * The owner's side of schemes that keep a row of bytes for each document. It has a key and no state, so that several
 * devices may have it. For those who write a scheme.
 */
@Secret
public abstract class RowOwner implements SseOwner {
    private final String scheme;
    private final Capabilities capabilities;

    /** @param scheme its name, for messages */
    protected RowOwner(String scheme, Capabilities capabilities) {
        this.scheme = scheme;
        this.capabilities = capabilities;
    }

    /** The row of a document. */
    protected abstract byte[] row(Document document) throws SseException;

    /** The message and the reading of a search that the scheme can answer. */
    protected abstract Exchange<Hits> ask(SseExpression question) throws SseException;

    @Override
    public final Exchange<Done> add(List<Document> documents) {
        return SingleTurn.of(
                () -> {
                    List<RowMessages.Row> rows = new ArrayList<>();
                    for (Document document : documents) {
                        byte[] row = row(document);
                        if (row.length > CellStore.MAX_VALUE_BYTES) {
                            throw new RefusedException(
                                    "a document has more words than the scheme " + scheme + " has room for");
                        }
                        rows.add(new RowMessages.Row(document.id(), row));
                    }
                    return RowMessages.add(rows);
                },
                Answers::readDone);
    }

    @Override
    public final Exchange<Done> delete(List<Document> documents) throws SseException {
        if (capabilities.deletion() == Capabilities.Deletion.NONE) {
            throw new RefusedException("the scheme " + scheme + " cannot delete");
        }
        return SingleTurn.of(() -> RowMessages.delete(documents), Answers::readDone);
    }

    @Override
    public final Exchange<Hits> search(SseExpression question) throws SseException {
        capabilities.requireCanAsk(question, scheme);
        return ask(question);
    }

    /** None: what was not answered is asked again by whoever wanted it, and changes nothing. */
    @Override
    public final List<Exchange<?>> unfinished() {
        return List.of();
    }

    @Override
    public void close() {}
}
