package dev.veilgate.sse;

import java.io.IOException;

/** Takes the answers to a message, one after the other. */
@FunctionalInterface
public interface MessageSink {
    /** Takes the next answer. */
    void send(Message answer) throws IOException;
}
