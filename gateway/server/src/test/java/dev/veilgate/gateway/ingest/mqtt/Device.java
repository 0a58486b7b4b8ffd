package dev.veilgate.gateway.ingest.mqtt;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttActionListener;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;

/** A real MQTT 5 client. */
final class Device implements AutoCloseable {
    /** What the broker answered to a PUBLISH. */
    record Ack(int code, String reason) {}

    /** What a subscription brought. */
    record Received(String topic, String text, Map<String, String> properties) {}

    final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    final CompletableFuture<Integer> disconnected = new CompletableFuture<>();
    final MqttAsyncClient client;
    final MqttConnectionOptions options = new MqttConnectionOptions();

    private Device(String url, String name, String clientId) throws MqttException {
        client = new MqttAsyncClient(url, clientId, new MemoryPersistence());
        options.setUserName(name);
        options.setPassword(Devices.password(name).getBytes(StandardCharsets.UTF_8));
        options.setCleanStart(false);
        options.setSessionExpiryInterval(3600L);
        client.setCallback(new Callback());
    }

    static Device of(String url, String name) throws MqttException {
        return new Device(url, name, name);
    }

    static Device of(String url, String name, String clientId) throws MqttException {
        return new Device(url, name, clientId);
    }

    Device connect() throws MqttException {
        client.connect(options).waitForCompletion(60_000);
        return this;
    }

    static String topic(String name) {
        return "veilgate/v1/acme/" + name;
    }

    CompletableFuture<Ack> publish(String topic, byte[] payload, int qos) throws MqttException {
        CompletableFuture<Ack> ack = new CompletableFuture<>();
        client.publish(topic, payload, qos, false, null, new MqttActionListener() {
            @Override
            public void onSuccess(IMqttToken token) {
                int[] codes = token.getReasonCodes();
                MqttProperties properties = token.getResponseProperties();
                String reason = properties == null ? null : properties.getReasonString();
                ack.complete(new Ack(codes == null || codes.length == 0 ? 0 : codes[0], reason == null ? "" : reason));
            }

            @Override
            public void onFailure(IMqttToken token, Throwable e) {
                ack.completeExceptionally(e);
            }
        });
        return ack;
    }

    CompletableFuture<Ack> publish(String text) throws MqttException {
        return publish(topic(options.getUserName()), text.getBytes(StandardCharsets.UTF_8), 1);
    }

    int subscribe(String filter) throws MqttException {
        IMqttToken token = client.subscribe(filter, 1);
        try {
            token.waitForCompletion(60_000);
        } catch (MqttException e) {
            if (token.getReasonCodes() == null) {
                throw e;
            }
        }
        return token.getReasonCodes()[0];
    }

    Received next() throws InterruptedException {
        Received message = received.poll(60, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("nothing was received");
        }
        return message;
    }

    @Override
    public void close() throws MqttException {
        if (client.isConnected()) {
            client.disconnect().waitForCompletion(60_000);
        }
        client.close(true);
    }

    private final class Callback implements MqttCallback {
        @Override
        public void disconnected(MqttDisconnectResponse response) {
            disconnected.complete(response.getReturnCode());
        }

        @Override
        public void mqttErrorOccurred(MqttException e) {}

        @Override
        public void messageArrived(String topic, MqttMessage message) {
            Map<String, String> properties = new HashMap<>();
            message.getProperties().getUserProperties().forEach(one -> properties.put(one.getKey(), one.getValue()));
            received.add(new Received(topic, new String(message.getPayload(), StandardCharsets.UTF_8), properties));
        }

        @Override
        public void deliveryComplete(IMqttToken token) {}

        @Override
        public void connectComplete(boolean reconnect, String server) {}

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {}
    }
}
