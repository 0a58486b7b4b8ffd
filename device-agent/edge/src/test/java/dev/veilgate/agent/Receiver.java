package dev.veilgate.agent;

import dev.veilgate.envelope.ChainVerifier;
import dev.veilgate.envelope.Envelope;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.sender.LineMedia;
import dev.veilgate.sender.SealedLines;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/** A gateway as far as it matters here: subscribes, knows envelopes by their id, as QoS 1 may bring one twice. */
final class Receiver implements AutoCloseable {
    private final MqttAsyncClient client;
    private final Map<Long, Envelope> bySequence = new TreeMap<>();
    private final Map<Long, UUID> ids = new HashMap<>();
    private final Map<Long, List<byte[]>> opened = new HashMap<>();
    private int twice;

    private Receiver(MqttAsyncClient client) {
        this.client = client;
    }

    static Receiver connect(String host, int port) throws MqttException {
        return connect("tcp://" + host + ":" + port, new MqttConnectionOptions());
    }

    static Receiver connect(String url, MqttConnectionOptions options) throws MqttException {
        MqttAsyncClient client = new MqttAsyncClient(url, "receiver", new MemoryPersistence());
        Receiver receiver = new Receiver(client);
        client.setCallback(receiver.new Callback());
        options.setCleanStart(false);
        options.setSessionExpiryInterval(3600L);
        options.setAutomaticReconnect(true);
        options.setAutomaticReconnectDelay(1, 1);
        client.connect(options).waitForCompletion(60_000);
        client.subscribe("veilgate/v1/#", 1).waitForCompletion(60_000);
        return receiver;
    }

    private synchronized void arrived(byte[] payload) {
        try {
            Envelope envelope = Envelope.decode(payload);
            UUID known = ids.putIfAbsent(envelope.sequence(), envelope.id());
            if (known == null) {
                bySequence.put(envelope.sequence(), envelope);
            } else if (known.equals(envelope.id())) {
                twice++;
            } else {
                throw new AssertionError("two envelopes with sequence " + envelope.sequence());
            }
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** All envelopes, by sequence number. */
    synchronized List<Envelope> envelopes() {
        return List.copyOf(bySequence.values());
    }

    synchronized int size() {
        return bySequence.size();
    }

    synchronized int twice() {
        return twice;
    }

    /** Records of text envelopes so far, in the order of the chain; parts of lines put together. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        String openLine = "";
        for (Envelope envelope : envelopes()) {
            String type = envelope.mediaType();
            if (!SealedLines.areIn(envelope)) {
                continue;
            }
            String line = type.contains("=") ? type.substring(type.indexOf('='), type.indexOf('.')) : "";
            if (!openLine.isEmpty() && !line.equals(openLine)) { // a file's last line without line feed
                lines.add(open.toString());
                open.setLength(0);
            }
            openLine = LineMedia.endsWithLineFeed(type) ? "" : line;
            for (byte[] record : records(envelope)) {
                open.append(new String(record, StandardCharsets.ISO_8859_1));
                if (LineMedia.endsWithLineFeed(type)) {
                    lines.add(open.toString());
                    open.setLength(0);
                }
            }
        }
        if (!openLine.isEmpty()) {
            lines.add(open.toString());
        }
        return lines;
    }

    private synchronized List<byte[]> records(Envelope envelope) {
        return opened.computeIfAbsent(envelope.sequence(), sequence -> {
            try {
                return TestTenant.open(envelope);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
    }

    int lineCount() {
        return envelopes().stream()
                .filter(e -> e.mediaType().equals("text/plain"))
                .mapToInt(Envelope::recordCount)
                .sum();
    }

    /** What the verifier of chains finds in what arrived. */
    synchronized List<ChainVerifier.Finding> findings(SenderPublicKey sender) {
        ChainVerifier verifier = TestTenant.verifier(sender);
        int i = 0;
        for (Envelope envelope : bySequence.values()) {
            verifier.add("envelope-" + i++, envelope.bytes());
        }
        return verifier.findings(Instant.now());
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
            arrived(message.getPayload());
        }

        @Override
        public void deliveryComplete(IMqttToken token) {}

        @Override
        public void connectComplete(boolean reconnect, String server) {}

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {}
    }
}
