package dev.veilgate.sse;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A way from an owner to the server of her archive, and back. */
@FunctionalInterface
public interface Channel {
    /**
     * Brings messages to the server, and its answers back. If it throws, the server may have got any of them.
     *
     * @return the answers to all of them, in their order
     */
    List<Message> send(List<Message> messages) throws IOException;

    /** A server in this process. */
    static Channel to(SseServer server) {
        return messages -> {
            List<Message> answers = new ArrayList<>();
            for (Message message : messages) {
                try {
                    server.answer(message, answers::add);
                } catch (MalformedEncodingException e) {
                    throw new SseException("the server refused a message: " + e.getMessage(), e);
                }
            }
            return answers;
        };
    }

    /**
     * Carries out an operation, turn by turn.
     *
     * @throws ConflictException if it has to be begun again
     */
    default <R> R run(Exchange<R> exchange) throws IOException {
        Turn<R> turn = exchange.begin();
        Optional<R> result = turn.result();
        while (!turn.done()) {
            turn = exchange.next(send(turn.send()));
            result = result.or(turn::result);
        }
        if (!turn.send().isEmpty()) {
            send(turn.send());
        }
        return result.orElseThrow(() -> new SseException("an operation ended without a result"));
    }
}
