package dev.veilgate.gateway.broker;

import com.hivemq.extension.sdk.api.client.parameter.ConnectionAttributeStore;
import com.hivemq.extension.sdk.api.packets.connect.ConnectPacket;
import dev.veilgate.transport.NoDelaySockets;
import dev.veilgate.transport.TlsContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.paho.mqttv5.client.MqttClient;
import org.eclipse.paho.mqttv5.client.MqttConnectionOptions;
import org.eclipse.paho.mqttv5.client.persist.MemoryPersistence;
import org.eclipse.paho.mqttv5.common.MqttException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client of the embedded broker's own, which logs in and publishes every few seconds as a device does: whether the
 * broker answers is known by asking it, not by its having started. The login is drawn for this process, is good for one
 * topic, and counts in no limit and no meter.
 */
final class BrokerProbe implements AutoCloseable {
    private static final String TOPIC = "veilgate/probe";
    private static final String USER = "veilgate-gateway";
    private static final String MARK = "veilgate-probe";
    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final int TIMEOUT_SECONDS = 20;

    private static final Logger LOG = LoggerFactory.getLogger(BrokerProbe.class);

    private final MqttSettings.@Nullable Listener listener;
    private final @Nullable Supplier<KeyStore> certificate;
    private final String secret = random();
    private final String client = random();
    private final Set<Integer> ports = Collections.newSetFromMap(new ConcurrentHashMap<>());
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("mqtt-probe").factory());
    private volatile @Nullable String trouble = "not asked yet";

    /**
     * Makes one that does not ask yet.
     *
     * @param listener    where it logs in; without one it never asks
     * @param certificate the listener's own, if it has TLS: nobody else's is trusted
     */
    BrokerProbe(MqttSettings.@Nullable Listener listener, @Nullable Supplier<KeyStore> certificate) {
        this.listener = listener;
        this.certificate = certificate;
    }

    private static String random() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /** Asks now, and again and again from now on. */
    void start() {
        if (listener == null) {
            trouble = null;
            return;
        }
        ask();
        timer.scheduleWithFixedDelay(this::ask, EVERY.toSeconds(), EVERY.toSeconds(), TimeUnit.SECONDS);
    }

    /** The question that the broker did not answer when it was asked last; null if it did. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** Whether a login is the one that was drawn for it. */
    boolean isLogin(ConnectPacket connect) {
        return connect.getPassword()
                .map(BrokerProbe::bytes)
                .filter(password -> MessageDigest.isEqual(password, secret.getBytes(StandardCharsets.UTF_8)))
                .isPresent();
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return bytes;
    }

    /** Remembers that it has logged in on a connection. */
    static void remember(ConnectionAttributeStore connection) {
        connection.putAsString(MARK, MARK);
    }

    /** Whether it has logged in on a connection. */
    static boolean is(ConnectionAttributeStore connection) {
        return connection.getAsString(MARK).isPresent();
    }

    /** Whether a connection comes from it: from its port, and from where it connects to. */
    boolean isFrom(@Nullable SocketAddress remote) {
        return remote instanceof InetSocketAddress from
                && ports.contains(from.getPort())
                && target().equals(from.getAddress());
    }

    private InetAddress target() {
        MqttSettings.Listener asked = Objects.requireNonNull(listener);
        InetAddress address = new InetSocketAddress(asked.address(), asked.port()).getAddress();
        return address == null || address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    }

    private void ask() {
        try {
            login();
            if (trouble != null) {
                LOG.debug("MQTT: the embedded broker answers");
            }
            trouble = null;
        } catch (MqttException | IOException | GeneralSecurityException | RuntimeException e) {
            String said = e.getMessage() == null ? e.toString() : e.getMessage();
            if (trouble == null) {
                LOG.error("MQTT: the embedded broker does not answer a login and a message: {}", said);
            }
            trouble = said;
        }
    }

    private void login() throws MqttException, IOException, GeneralSecurityException {
        String host = target().getHostAddress();
        String url = (certificate == null ? "tcp://" : "ssl://") + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + Objects.requireNonNull(listener).port();
        MqttConnectionOptions options = new MqttConnectionOptions();
        options.setCleanStart(true);
        options.setUserName(USER);
        options.setPassword(secret.getBytes(StandardCharsets.UTF_8));
        options.setConnectionTimeout(TIMEOUT_SECONDS);
        options.setAutomaticReconnect(false);
        options.setHttpsHostnameVerificationEnabled(false);
        options.setSocketFactory(
                certificate == null
                        ? NoDelaySockets.plain(this::bind)
                        : NoDelaySockets.tls(
                                TlsContext.of(null, trust(certificate.get())).getSocketFactory(), this::bind));
        ports.clear();
        MqttClient asking = new MqttClient(url, client, new MemoryPersistence());
        asking.setTimeToWait(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
        try {
            asking.connect(options);
            asking.publish(TOPIC, new byte[0], 1, false);
            asking.disconnect();
        } finally {
            asking.close(true);
        }
    }

    /** Makes the port known before the broker sees it. */
    private void bind(Socket socket) throws IOException {
        socket.bind(null);
        ports.add(socket.getLocalPort());
    }

    private static TrustManager[] trust(KeyStore own) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        for (String alias : Collections.list(own.aliases())) {
            Certificate certificate = own.getCertificate(alias);
            if (certificate != null) {
                trusted.setCertificateEntry(alias, certificate);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    static String topic() {
        return TOPIC;
    }
}
