package dev.veilgate.sse;

import dev.veilgate.secret.Secret;
import java.util.List;

/**
 * The owner's side of a scheme: makes the messages by which documents are added, deleted and searched, and reads the
 * answers. It has the key. One operation at a time; whoever uses several owners of one archive at once gets
 * {@link ConflictException}.
 */
@Secret
public interface SseOwner extends AutoCloseable {
    /**
     * Adds documents, all of them or none.
     *
     * @throws RefusedException if the scheme has no room for them, or takes none any more
     */
    Exchange<Done> add(List<Document> documents) throws SseException;

    /**
     * Deletes documents: they are found no more.
     *
     * @param documents with the words that they were added with; schemes that delete by id do not look at them
     * @throws RefusedException if the scheme cannot delete
     */
    Exchange<Done> delete(List<Document> documents) throws SseException;

    /**
     * Searches.
     *
     * @throws RefusedException if the scheme cannot answer such a question
     */
    Exchange<Hits> search(SseExpression question) throws SseException;

    /** Operations that were begun and, as a crash came between, not ended: they are gone on with before any other. */
    List<Exchange<?>> unfinished() throws SseException;

    /** Lets go of the key. */
    @Override
    void close();
}
