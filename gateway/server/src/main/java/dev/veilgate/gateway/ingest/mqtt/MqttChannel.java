package dev.veilgate.gateway.ingest.mqtt;

import dev.veilgate.application.command.StopWaits;
import dev.veilgate.gateway.broker.Broker;
import dev.veilgate.gateway.broker.MqttSettings;
import dev.veilgate.gateway.broker.TenantTopics;
import dev.veilgate.gateway.ingest.Ingestion;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Opens MQTT once ingestion takes envelopes, and closes it before ingestion stops. */
@Component
final class MqttChannel implements SmartLifecycle, StopWaits {
    private final Broker broker;
    private final EnvelopeIntake intake;
    private volatile boolean running;
    private volatile boolean closing;

    MqttChannel(Broker broker, Ingestion ingestion, MqttSettings settings, TenantTopics topics, MeterRegistry meters) {
        this.broker = broker;
        this.intake = new EnvelopeIntake(ingestion, broker, topics, settings.deadLetterTopic(), meters);
    }

    @Override
    public void start() {
        broker.start(intake);
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        closing = true;
        try {
            broker.close();
        } finally {
            closing = false;
        }
    }

    @Override
    public String stopWaitsFor() {
        return closing ? "the broker" : "";
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Ingestion.CHANNELS_PHASE;
    }
}
