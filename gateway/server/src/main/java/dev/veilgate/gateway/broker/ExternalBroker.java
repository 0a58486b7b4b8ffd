package dev.veilgate.gateway.broker;

import dev.veilgate.transport.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundles;

/** Another broker, which this gateway is a client of: connects, and again with growing pauses. */
final class ExternalBroker implements Broker {
    private static final Logger LOG = LoggerFactory.getLogger(ExternalBroker.class);
    private static final Backoff BACKOFF =
            Backoff.doubling(Duration.ofMillis(250), Duration.ofSeconds(15), Backoff.Spread.HALF);

    private final MqttSettings settings;
    private final SslBundles bundles;

    private volatile @Nullable ExternalLink link;
    private volatile String problem = "not started";
    private volatile boolean closed;
    private @Nullable Thread thread;

    ExternalBroker(MqttSettings settings, SslBundles bundles) {
        this.settings = settings;
        this.bundles = bundles;
    }

    @Override
    public synchronized void start(EnvelopeSink sink) {
        thread = Thread.ofPlatform().daemon().name("mqtt-connection").start(() -> run(sink));
    }

    private void run(EnvelopeSink sink) {
        int failures = 0;
        try {
            while (!closed) {
                try (ExternalLink open = ExternalLink.open(settings, bundles, sink)) {
                    link = open;
                    failures = 0;
                    LOG.info("MQTT: {}", status());
                    failed(open.lost().join());
                } catch (IOException | MqttException | RuntimeException e) {
                    failed(ExternalLink.describe(e));
                } finally {
                    link = null;
                }
                Thread.sleep(BACKOFF.pause(++failures));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private void failed(String why) {
        if (!closed && !why.equals(problem)) { // once, not every few seconds
            LOG.warn("MQTT: no connection to {}: {}", settings.external().uri(), why);
        }
        problem = why;
    }

    @Override
    public CompletableFuture<Void> publish(String topic, byte[] payload, Map<String, String> properties) {
        ExternalLink open = link;
        return open == null
                ? CompletableFuture.failedFuture(new IOException("not connected to the MQTT broker"))
                : open.publish(topic, payload, properties);
    }

    @Override
    public boolean ready() {
        ExternalLink open = link;
        return open != null && !open.lost().isDone();
    }

    @Override
    public String status() {
        return ready()
                ? "connected to " + settings.external().uri()
                : "not connected to " + settings.external().uri() + ": " + problem;
    }

    @Override
    public synchronized void close() {
        closed = true;
        ExternalLink open = link;
        if (open != null) {
            open.lost().complete("closed");
        }
        Thread running = thread;
        if (running != null) {
            running.interrupt();
            try {
                running.join(TimeUnit.SECONDS.toMillis(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
