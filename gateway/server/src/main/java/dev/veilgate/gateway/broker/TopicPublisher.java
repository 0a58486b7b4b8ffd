package dev.veilgate.gateway.broker;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Publishes to topics of the broker that the gateway serves or is connected to. */
public interface TopicPublisher {
    /**
     * Publishes with QoS 1.
     *
     * @param properties user properties of MQTT 5
     * @return completes when the broker has taken it; exceptionally if it does not now
     */
    CompletableFuture<Void> publish(String topic, byte[] payload, Map<String, String> properties);

    /** Publishes with QoS 1 and without properties. */
    default CompletableFuture<Void> publish(String topic, byte[] payload) {
        return publish(topic, payload, Map.of());
    }
}
