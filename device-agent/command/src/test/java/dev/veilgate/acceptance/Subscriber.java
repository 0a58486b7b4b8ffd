package dev.veilgate.acceptance;

import dev.veilgate.envelope.Envelope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;

/** Stores what arrives as a gateway does: each envelope id once, in a file whose name sorts by the place in the chain. */
final class Subscriber implements AutoCloseable {
    private final MqttAsyncClient client;
    private final Path folder;
    private final Set<UUID> ids = new HashSet<>();
    private final TreeMap<Long, Envelope> bySequence = new TreeMap<>();
    private final List<String> refused = new ArrayList<>();

    private Subscriber(MqttAsyncClient client, Path folder) {
        this.client = client;
        this.folder = folder;
    }

    static Subscriber connect(int port, String tenant, Path folder) throws Exception {
        Files.createDirectories(folder);
        MqttAsyncClient client = new MqttAsyncClient("tcp://127.0.0.1:" + port, "gateway", new MemoryPersistence());
        Subscriber subscriber = new Subscriber(client, folder);
        client.setCallback(subscriber.new Callback());
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(false);
        options.setSessionExpiryInterval(3600L);
        client.connect(options).waitForCompletion(30_000);
        client.subscribe("veilgate/v1/" + tenant + "/+", 1).waitForCompletion(30_000);
        return subscriber;
    }

    private synchronized void arrived(String topic, byte[] payload) {
        try {
            Envelope envelope = Envelope.decode(payload);
            if (!topic.endsWith("/" + envelope.sender())) {
                refused.add("an envelope under the topic " + topic);
            }
            if (!ids.add(envelope.id())) {
                return;
            }
            Files.write(folder.resolve(String.format(Locale.ROOT, "%08d.vge", envelope.sequence())), payload);
            if (bySequence.put(envelope.sequence(), envelope) != null) {
                refused.add("two envelopes with the sequence number " + envelope.sequence());
            }
        } catch (Exception e) {
            refused.add(e.toString());
        }
    }

    /** What has arrived, by place in the chain. */
    synchronized List<Envelope> envelopes() {
        if (!refused.isEmpty()) {
            throw new AssertionError(refused);
        }
        return List.copyOf(bySequence.values());
    }

    /** Whether the chain is here from its first envelope to a farewell, which promises nothing more. */
    synchronized boolean hasWholeChain() {
        return !bySequence.isEmpty()
                && bySequence.lastKey() == bySequence.size()
                && bySequence.lastEntry().getValue().heartbeatSeconds() == 0;
    }

    @Override
    public void close() throws MqttException {
        try {
            client.disconnectForcibly(0, 500, true);
        } finally {
            client.close(true);
        }
    }

    private final class Callback implements MqttCallback {
        @Override
        public void disconnected(MqttDisconnectResponse response) {}

        @Override
        public void mqttErrorOccurred(MqttException e) {}

        @Override
        public void messageArrived(String topic, MqttMessage message) {
            arrived(topic, message.getPayload());
        }

        @Override
        public void deliveryComplete(IMqttToken token) {}

        @Override
        public void connectComplete(boolean reconnect, String server) {}

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {}
    }
}
