package dev.veilgate.gateway.broker;

import dev.veilgate.gateway.access.Access;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.ssl.SslBundles;

/** Makes the broker that the settings ask for. */
public final class Brokers {
    private Brokers() {}

    /**
     * Makes it; it does nothing before {@link Broker#start}.
     *
     * @param folder of its own, for the embedded broker
     * @param topics that devices of each tenant may subscribe to at the embedded broker
     */
    public static Broker of(
            MqttSettings settings,
            Path folder,
            Access access,
            SslBundles bundles,
            TenantTopics topics,
            MeterRegistry meters) {
        return switch (settings.broker()) {
            case EMBEDDED -> new EmbeddedBroker(settings, folder, access, bundles, topics, meters);
            case EXTERNAL -> new ExternalBroker(settings, bundles);
            case NONE -> new None();
        };
    }

    private static final class None implements Broker {
        @Override
        public void start(EnvelopeSink sink) {}

        @Override
        public CompletableFuture<Void> publish(String topic, byte[] payload, Map<String, String> properties) {
            return CompletableFuture.failedFuture(new IllegalStateException("veilgate.mqtt.broker is none"));
        }

        @Override
        public boolean ready() {
            return true;
        }

        @Override
        public String status() {
            return "none";
        }

        @Override
        public void close() {}
    }
}
