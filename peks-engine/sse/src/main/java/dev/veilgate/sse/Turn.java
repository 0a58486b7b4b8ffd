package dev.veilgate.sse;

import java.util.List;
import java.util.Optional;

/**
 * The next step of an owner in an exchange with a server.
 *
 * @param send   messages that are sent, each answered by the server; the answers belong to the next turn
 * @param result what the exchange is for, as soon as it is known; perhaps before the last turn
 * @param done   whether this was the last turn: what is sent with it needs no answer but has to arrive
 * @param <R>    what the exchange is for
 */
public record Turn<R>(List<Message> send, Optional<R> result, boolean done) {
    /** Copies. */
    public Turn {
        send = List.copyOf(send);
    }

    /** A turn that waits for the answers to what it sends. */
    public static <R> Turn<R> ask(Message... send) {
        return new Turn<>(List.of(send), Optional.empty(), false);
    }

    /** The last turn, which sends nothing. */
    public static <R> Turn<R> end(R result) {
        return new Turn<>(List.of(), Optional.of(result), true);
    }
}
