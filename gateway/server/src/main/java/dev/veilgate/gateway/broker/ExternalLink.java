package dev.veilgate.gateway.broker;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.ingest.Refusal;
import dev.veilgate.gateway.ingest.RefusedException;
import dev.veilgate.transport.NoDelaySockets;
import dev.veilgate.transport.TlsContext;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttActionListener;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.MqttSubscription;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.eclipse.paho.mqttv5.common.packet.UserProperty;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslManagerBundle;

/**
 * One connection to an external broker. It is never repaired, a new one is made instead: Paho's own reconnect starts a clean session, which
 * loses what waits for us. A message is acknowledged when the sink is done with it; one that can only be taken later is offered again as long as
 * the connection lives, and comes again by itself after that.
 */
final class ExternalLink implements AutoCloseable {
    private static final int QOS = 1;
    private static final int TIMEOUT_SECONDS = 10;
    private static final int FIRST_FAILURE_CODE = 0x80;
    private static final int DEFAULT_RECEIVE_MAXIMUM = 65535;
    private static final int MAX_PUBLISHING = 64;
    private static final long AGAIN_MILLIS = 500;

    /** Held: a logger that nobody holds forgets its level. */
    private static final Logger PAHO = Logger.getLogger("org.eclipse.paho");

    static {
        PAHO.setLevel(Level.OFF); // what it has to say comes as exceptions
    }

    private final MqttAsyncClient client;
    private final EnvelopeSink sink;
    private final CompletableFuture<String> lost = new CompletableFuture<>();
    private Semaphore publishing = new Semaphore(MAX_PUBLISHING);

    private ExternalLink(MqttAsyncClient client, EnvelopeSink sink) {
        this.client = client;
        this.sink = sink;
    }

    /** Connects and subscribes. */
    static ExternalLink open(MqttSettings settings, SslBundles bundles, EnvelopeSink sink)
            throws IOException, MqttException {
        MqttSettings.External external = settings.external();
        URI uri = external.uri();
        if (uri == null) {
            throw new IllegalStateException("no address");
        }
        boolean tls = uri.getScheme().equals("mqtts");
        int port = uri.getPort() > 0 ? uri.getPort() : tls ? 8883 : 1883;
        MqttAsyncClient client = new MqttAsyncClient(
                (tls ? "ssl://" : "tcp://") + uri.getHost() + ":" + port, external.clientId(), new MemoryPersistence());
        ExternalLink link = new ExternalLink(client, sink);
        try {
            link.connect(settings, tls ? NoDelaySockets.tls(trust(external, bundles)) : NoDelaySockets.plain());
            link.subscribe(external.group());
            return link;
        } catch (IOException | MqttException | RuntimeException e) {
            link.close();
            throw e;
        }
    }

    private static SSLSocketFactory trust(MqttSettings.External external, SslBundles bundles) throws IOException {
        if (external.tlsBundle().isEmpty()) {
            return TlsContext.machine().getSocketFactory();
        }
        SslManagerBundle managers = bundles.getBundle(external.tlsBundle()).getManagers();
        return TlsContext.of(managers.getKeyManagers(), managers.getTrustManagers())
                .getSocketFactory();
    }

    private void connect(MqttSettings settings, SocketFactory sockets) throws IOException, MqttException {
        MqttSettings.External external = settings.external();
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(false);
        options.setSessionExpiryInterval(external.sessionExpiry().toSeconds());
        options.setKeepAliveInterval((int) external.keepAlive().toSeconds());
        options.setConnectionTimeout(TIMEOUT_SECONDS);
        options.setReceiveMaximum(settings.receiveMaximum());
        options.setAutomaticReconnect(false);
        options.setHttpsHostnameVerificationEnabled(true);
        options.setSocketFactory(sockets);
        if (!external.user().isEmpty()) {
            options.setUserName(external.user());
        }
        if (external.passwordFile() != null) {
            options.setPassword(firstLine(external.passwordFile()));
        }
        client.setManualAcks(true);
        client.setCallback(new Callback());
        IMqttToken token = client.connect(options);
        token.waitForCompletion(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS) + 1000);
        MqttProperties answer = token.getResponseProperties();
        Integer receive = answer == null ? null : answer.getReceiveMaximum();
        publishing = new Semaphore(Math.min(MAX_PUBLISHING, receive == null ? DEFAULT_RECEIVE_MAXIMUM : receive));
    }

    private static byte[] firstLine(Path file) throws IOException {
        return Files.readString(file).lines().findFirst().orElse("").getBytes(StandardCharsets.UTF_8);
    }

    private void subscribe(String group) throws IOException, MqttException {
        String filter = "$share/" + group + "/" + EnvelopeTopic.FILTER;
        IMqttToken token = client.subscribe(new MqttSubscription(filter, QOS));
        token.waitForCompletion(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
        for (int code : token.getReasonCodes()) {
            if (code != QOS) {
                throw new IOException("the broker does not grant " + filter + " with QoS 1 (reason code " + code + ")");
            }
        }
    }

    /** Completes with the reason when the connection is gone. */
    CompletableFuture<String> lost() {
        return lost;
    }

    private void arrived(String topic, MqttMessage message) {
        Optional<EnvelopeTopic> sender = EnvelopeTopic.parse(topic);
        if (sender.isEmpty()) {
            acknowledge(message); // our filter, but no sender's topic: nothing that an agent publishes
            return;
        }
        offer(
                new Principal(
                        Principal.Kind.DEVICE,
                        sender.get().sender(),
                        sender.get().tenant(),
                        Set.of(Right.INGEST),
                        Set.of()),
                message);
    }

    private void offer(Principal sender, MqttMessage message) {
        sink.take(sender, message.getPayload()).thenAccept(refused -> {
            if (refused.map(RefusedException::refusal)
                    .filter(Refusal::temporary)
                    .isEmpty()) {
                acknowledge(message);
            } else {
                Executor later = CompletableFuture.delayedExecutor(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
                later.execute(() -> {
                    if (!lost.isDone()) {
                        offer(sender, message);
                    }
                });
            }
        });
    }

    private void acknowledge(MqttMessage message) {
        try {
            client.messageArrivedComplete(message.getId(), message.getQos());
        } catch (MqttException e) {
            lost.complete(describe(e)); // the broker sends it again to the next connection
        }
    }

    /** Fails at once while the broker has not yet taken as many as it allows. */
    CompletableFuture<Void> publish(String topic, byte[] payload, Map<String, String> properties) {
        MqttProperties with = new MqttProperties();
        List<UserProperty> user = new ArrayList<>();
        properties.forEach((name, value) -> user.add(new UserProperty(name, value)));
        with.setUserProperties(user);
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (!publishing.tryAcquire()) {
            done.completeExceptionally(new IOException("too much is being published; try again"));
            return done;
        }
        done.whenComplete((nothing, failure) -> publishing.release());
        try {
            client.publish(topic, new MqttMessage(payload, QOS, false, with), null, new Answer(done));
        } catch (MqttException e) {
            done.completeExceptionally(new IOException(describe(e), e));
        }
        return done;
    }

    @Override
    public void close() {
        lost.complete("closed");
        try {
            client.disconnectForcibly(0, 1000, client.isConnected());
        } catch (MqttException e) {
            // it is gone already
        }
        try {
            client.close(true);
        } catch (MqttException e) {
            // what it held is released with it
        }
    }

    static String describe(Throwable e) {
        Throwable cause = e;
        while (cause instanceof MqttException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof MqttException mqtt && mqtt.getReasonCode() >= FIRST_FAILURE_CODE) {
            return "reason code " + mqtt.getReasonCode();
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }

    private record Answer(CompletableFuture<Void> done) implements MqttActionListener {
        @Override
        public void onSuccess(IMqttToken token) {
            int[] codes = token.getReasonCodes();
            int code = codes == null || codes.length == 0 ? 0 : codes[0];
            if (code < FIRST_FAILURE_CODE) {
                done.complete(null);
            } else {
                done.completeExceptionally(new IOException("the broker answered with reason code " + code));
            }
        }

        @Override
        public void onFailure(@Nullable IMqttToken token, Throwable e) {
            done.completeExceptionally(new IOException(describe(e), e));
        }
    }

    private final class Callback implements MqttCallback {
        @Override
        public void disconnected(MqttDisconnectResponse response) {
            MqttException e = response.getException();
            lost.complete(e == null ? "the broker disconnected: " + response.getReasonString() : describe(e));
        }

        @Override
        public void mqttErrorOccurred(MqttException e) {
            lost.complete(describe(e));
        }

        @Override
        public void messageArrived(String topic, MqttMessage message) {
            arrived(topic, message);
        }

        @Override
        public void deliveryComplete(IMqttToken token) {}

        @Override
        public void connectComplete(boolean reconnect, String server) {}

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {}
    }
}
