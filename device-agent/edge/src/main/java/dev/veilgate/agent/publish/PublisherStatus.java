package dev.veilgate.agent.publish;

/**
 * What the publisher does, for health and metrics.
 *
 * @param connected    whether there is a connection
 * @param problem      why not, or why the broker takes nothing; empty if all is well
 * @param acknowledged envelopes since the start
 * @param refused      answers with a failure since the start
 * @param connections  made since the start
 * @param maximumBytes largest envelope that the broker takes; Long.MAX_VALUE if it does not say
 */
public record PublisherStatus(
        boolean connected, String problem, long acknowledged, long refused, long connections, long maximumBytes) {
    static final PublisherStatus INITIAL = new PublisherStatus(false, "not connected yet", 0, 0, 0, Long.MAX_VALUE);

    PublisherStatus connected(long maximum) {
        return new PublisherStatus(true, "", acknowledged, refused, connections + 1, maximum);
    }

    PublisherStatus disconnected(String why) {
        return new PublisherStatus(false, why, acknowledged, refused, connections, maximumBytes);
    }

    PublisherStatus acknowledged(boolean clear) {
        return new PublisherStatus(
                connected, clear ? "" : problem, acknowledged + 1, refused, connections, maximumBytes);
    }

    PublisherStatus refused(String why) {
        return new PublisherStatus(connected, why, acknowledged, refused + 1, connections, maximumBytes);
    }

    PublisherStatus stuck(String why) {
        return new PublisherStatus(connected, why, acknowledged, refused, connections, maximumBytes);
    }
}
