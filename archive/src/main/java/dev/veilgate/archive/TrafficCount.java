package dev.veilgate.archive;

/**
 * Numbers of messages between an owner and a server, and of their bytes.
 *
 * @param turns         how often messages went to the server
 * @param messages      messages to the server
 * @param bytes         bytes of these
 * @param answers       messages from the server
 * @param bytesAnswered bytes of these
 */
public record TrafficCount(long turns, long messages, long bytes, long answers, long bytesAnswered) {
    static final TrafficCount NONE = new TrafficCount(0, 0, 0, 0, 0);

    TrafficCount plus(TrafficCount other) {
        return new TrafficCount(
                turns + other.turns,
                messages + other.messages,
                bytes + other.bytes,
                answers + other.answers,
                bytesAnswered + other.bytesAnswered);
    }
}
