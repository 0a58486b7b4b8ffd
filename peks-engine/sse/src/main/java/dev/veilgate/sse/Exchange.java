package dev.veilgate.sse;

import java.util.List;

/**
 * An operation of an owner at a server, turn by turn. What a turn needs after a crash is saved before the turn is
 * returned, so that {@link SseOwner#unfinished} goes on with it.
 *
 * @param <R> what the operation is for
 */
public interface Exchange<R> {
    /** The first turn. */
    Turn<R> begin() throws SseException;

    /**
     * The turn after the last one was answered.
     *
     * @param answers of all messages of the last turn, in their order
     * @throws ConflictException if state has changed meanwhile: the operation is begun again
     */
    Turn<R> next(List<Message> answers) throws SseException;
}
