package dev.veilgate.archive;

import dev.veilgate.sse.Channel;
import dev.veilgate.sse.Message;
import java.io.IOException;
import java.util.List;

/** Counts what goes to a server and comes back. */
final class Traffic implements Channel {
    private final Channel channel;
    private TrafficCount count = TrafficCount.NONE;

    Traffic(Channel channel) {
        this.channel = channel;
    }

    @Override
    public List<Message> send(List<Message> messages) throws IOException {
        List<Message> answers = channel.send(messages);
        count = count.plus(new TrafficCount(1, messages.size(), bytes(messages), answers.size(), bytes(answers)));
        return answers;
    }

    private static long bytes(List<Message> messages) {
        return messages.stream().mapToLong(Message::length).sum();
    }

    /** Since the last call. */
    TrafficCount take() {
        TrafficCount taken = count;
        count = TrafficCount.NONE;
        return taken;
    }
}
