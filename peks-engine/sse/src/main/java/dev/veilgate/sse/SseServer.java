package dev.veilgate.sse;

import dev.veilgate.encoding.MalformedEncodingException;
import java.io.IOException;

/**
 * The server's side of a scheme: answers messages of an owner from cells, without any key. The same message twice
 * leaves the same state, and gets the same answer as long as no other came between.
 */
public interface SseServer {
    /**
     * Answers one message, in one transaction of its store: what is acknowledged by an answer is durable.
     *
     * @param message untrusted
     * @param out     gets at least one answer
     * @throws MalformedEncodingException if it is no message of this scheme; nothing is changed
     */
    void answer(Message message, MessageSink out) throws IOException, MalformedEncodingException;
}
