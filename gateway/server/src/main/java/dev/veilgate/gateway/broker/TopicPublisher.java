package dev.veilgate.gateway.broker;

import java.util.concurrent.CompletableFuture;

/** Publishes to topics of the broker that the gateway serves or is connected to. */
public interface TopicPublisher {
    /**
     * Publishes with QoS 1.
     *
     * @return completes when the broker has taken it; exceptionally if it does not now
     */
    CompletableFuture<Void> publish(String topic, byte[] payload);
}
