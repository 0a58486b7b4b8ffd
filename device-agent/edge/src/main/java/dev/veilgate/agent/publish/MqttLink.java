package dev.veilgate.agent.publish;

import dev.veilgate.transport.NoDelaySockets;
import dev.veilgate.transport.TlsContext;
import dev.veilgate.transport.TlsKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import org.eclipse.paho.mqttv5.client.IMqttToken;
import org.eclipse.paho.mqttv5.client.MqttActionListener;
import org.eclipse.paho.mqttv5.client.MqttAsyncClient;
import org.eclipse.paho.mqttv5.client.MqttCallback;
import org.eclipse.paho.mqttv5.client.MqttClientException;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.MqttDisconnectResponse;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.eclipse.paho.mqttv5.common.MqttMessage;
import org.eclipse.paho.mqttv5.common.packet.MqttProperties;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the broker. It is never repaired: Paho's own reconnect would start a clean session and send from its own memory, while the
 * truth is on disk. A new one is made instead.
 */
final class MqttLink implements AutoCloseable {
    private static final String CONTENT_TYPE = "application/vnd.veilgate.envelope+cbor";
    private static final int QOS = 1;
    private static final int DEFAULT_RECEIVE_MAXIMUM = 65535;
    /** Of a PUBLISH packet besides topic, content type and payload: header, two lengths, packet id, properties' length and id. */
    private static final int PACKET_OVERHEAD = 5 + 2 + 2 + 2 + 1 + 2;

    /** Held: a logger that nobody holds forgets its level. */
    private static final Logger PAHO = Logger.getLogger("org.eclipse.paho");

    static {
        PAHO.setLevel(Level.OFF); // what it has to say comes as exceptions
    }

    /** What happens on a connection. */
    sealed interface Event {
        /** The broker answered: below 0x80 it has the envelope. What it said of it may be empty. */
        record Answered(long sequence, int reasonCode, String said) implements Event {}

        /** The connection is gone. */
        record Lost(String reason) implements Event {}
    }

    private final MqttAsyncClient client;
    private final Consumer<Event> events;
    private final String topic;
    private int receiveMaximum = DEFAULT_RECEIVE_MAXIMUM;
    private long maximumPacketBytes = Long.MAX_VALUE;

    private MqttLink(MqttAsyncClient client, String topic, Consumer<Event> events) {
        this.client = client;
        this.topic = topic;
        this.events = events;
    }

    /**
     * Connects.
     *
     * @throws IOException saying why the broker cannot be reached or refuses
     */
    static MqttLink connect(MqttOptions options, String topic, Consumer<Event> events) throws IOException {
        MqttLink link = null;
        try {
            MqttAsyncClient client =
                    new MqttAsyncClient(pahoUrl(options.url()), options.clientId(), new MemoryPersistence());
            link = new MqttLink(client, topic, events);
            link.open(options);
            return link;
        } catch (MqttException e) {
            if (link != null) {
                link.close();
            }
            throw new IOException(Reasons.describe(e), e);
        } catch (IOException e) {
            if (link != null) {
                link.close();
            }
            throw e;
        }
    }

    private static String pahoUrl(URI url) {
        boolean tls = url.getScheme().equals("mqtts");
        int port = url.getPort() > 0 ? url.getPort() : tls ? 8883 : 1883;
        return (tls ? "ssl://" : "tcp://") + url.getHost() + ":" + port;
    }

    private void open(MqttOptions options) throws MqttException, IOException {
        client.setCallback(new Callback());
        MqttConnectionOptions connection = new MqttConnectionOptions();
        connection.setCleanStart(false);
        connection.setSessionExpiryInterval(options.sessionExpiry().toSeconds());
        connection.setKeepAliveInterval((int) options.keepAlive().toSeconds());
        connection.setConnectionTimeout(
                Math.max(1, (int) options.connectTimeout().toSeconds()));
        connection.setAutomaticReconnect(false);
        connection.setHttpsHostnameVerificationEnabled(true);
        connection.setSocketFactory(sockets(options));
        PasswordSource password = options.password();
        if (!options.user().isEmpty()) {
            connection.setUserName(options.user());
        }
        if (password != null) {
            connection.setPassword(password.read());
        }
        IMqttToken token = client.connect(connection);
        token.waitForCompletion(options.connectTimeout().toMillis() + 1000);
        MqttProperties properties = token.getResponseProperties();
        if (properties != null) {
            Integer receive = properties.getReceiveMaximum();
            Long packet = properties.getMaximumPacketSize();
            receiveMaximum = receive == null ? DEFAULT_RECEIVE_MAXIMUM : receive;
            maximumPacketBytes = packet == null ? Long.MAX_VALUE : packet;
            Integer qos = properties.getMaximumQoS();
            if (qos != null && qos < QOS) {
                throw new IOException("the broker allows QoS 0 only, which loses messages");
            }
        }
    }

    private static SocketFactory sockets(MqttOptions options) throws IOException {
        return options.url().getScheme().equals("mqtts")
                ? NoDelaySockets.tls(tls(options.tls()).getSocketFactory())
                : NoDelaySockets.plain();
    }

    private static SSLContext tls(MqttOptions.TlsOptions options) throws IOException {
        Path keyStore = options.keyStore();
        Path certificate = options.certificate();
        Path key = options.key();
        TlsKeys keys = null;
        if (keyStore != null) {
            PasswordSource source = options.keyStorePassword();
            byte[] password = source == null ? new byte[0] : source.read();
            keys = TlsKeys.ofPkcs12(keyStore, new String(password, StandardCharsets.UTF_8).toCharArray());
        } else if (certificate != null && key != null) {
            keys = TlsKeys.ofPem(certificate, key);
        }
        return TlsContext.client(options.ca(), keys);
    }

    /** Most messages that the broker takes without having answered. */
    int receiveMaximum() {
        return receiveMaximum;
    }

    /** Most bytes of an envelope that the broker takes. */
    long maximumEnvelopeBytes() {
        return maximumPacketBytes == Long.MAX_VALUE
                ? Long.MAX_VALUE
                : maximumPacketBytes - PACKET_OVERHEAD - topic.length() - CONTENT_TYPE.length();
    }

    /**
     * Sends an envelope; the answer comes as an event.
     *
     * @return false if Paho has no room yet, although the broker does
     */
    boolean publish(long sequence, byte[] envelope) throws IOException {
        MqttProperties properties = new MqttProperties();
        properties.setContentType(CONTENT_TYPE);
        MqttMessage message = new MqttMessage(envelope, QOS, false, properties);
        try {
            client.publish(topic, message, null, new Answer(sequence));
            return true;
        } catch (MqttException e) {
            if (e.getReasonCode() == MqttClientException.REASON_CODE_MAX_INFLIGHT) {
                return false;
            }
            throw new IOException(Reasons.describe(e), e);
        }
    }

    @Override
    public void close() {
        try {
            // also while it waits for a broker that took the connection and says nothing: else its threads and socket
            // stay
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

    private final class Answer implements MqttActionListener {
        private final long sequence;

        Answer(long sequence) {
            this.sequence = sequence;
        }

        @Override
        public void onSuccess(IMqttToken token) {
            int[] codes = token.getReasonCodes();
            MqttProperties properties = token.getResponseProperties();
            String said = properties == null ? null : properties.getReasonString();
            int code = codes == null || codes.length == 0 ? 0 : codes[0];
            events.accept(new Event.Answered(sequence, code, said == null ? "" : said));
        }

        @Override
        public void onFailure(@Nullable IMqttToken token, Throwable e) {
            events.accept(new Event.Lost(Reasons.describe(e)));
        }
    }

    private final class Callback implements MqttCallback {
        @Override
        public void disconnected(MqttDisconnectResponse response) {
            MqttException e = response.getException();
            String said = response.getReasonString();
            events.accept(new Event.Lost(
                    e != null ? Reasons.describe(e) : said != null ? said : Reasons.name(response.getReturnCode())));
        }

        @Override
        public void mqttErrorOccurred(MqttException e) {
            events.accept(new Event.Lost(Reasons.describe(e)));
        }

        @Override
        public void messageArrived(String from, MqttMessage message) {}

        @Override
        public void deliveryComplete(IMqttToken token) {}

        @Override
        public void connectComplete(boolean reconnect, String server) {}

        @Override
        public void authPacketArrived(int reasonCode, MqttProperties properties) {}
    }
}
