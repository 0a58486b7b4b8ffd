package dev.veilgate.gateway.ingest.mqtt;

import dev.veilgate.gateway.broker.Broker;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/** Whether devices can publish. */
@Component("mqtt")
final class MqttHealth extends AbstractHealthIndicator {
    private final Broker broker;

    MqttHealth(Broker broker) {
        this.broker = broker;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        boolean starting = broker.starting(); // asked first: it may be ready in between
        health.status(broker.ready() ? Status.UP : starting ? Status.OUT_OF_SERVICE : Status.DOWN)
                .withDetail("broker", broker.status());
    }
}
