package dev.veilgate.gateway.broker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * MQTT.
 *
 * @param broker          {@code embedded}, {@code external}, or {@code none}
 * @param deadLetterTopic gets a copy of each envelope that is refused for good, with the reason as user properties; empty: no topic does
 * @param plainTopicsOf   the tenant whose dead letters and notices of routes go to the topics as they are set, without a tenant in them; those of others go to topics under
 *                        veilgate/tenants/TENANT/. Empty: the only tenant, if there is only one
 * @param receiveMaximum  most messages of a connection that are not acknowledged yet
 * @param embedded        the broker inside this process
 * @param external        another broker
 */
@ConfigurationProperties("veilgate.mqtt")
public record MqttSettings(
        @DefaultValue("embedded") Mode broker,
        @DefaultValue("veilgate/dead-letter") String deadLetterTopic,
        @DefaultValue("") String plainTopicsOf,
        @DefaultValue("32") int receiveMaximum,
        @DefaultValue Embedded embedded,
        @DefaultValue External external) {
    /** Which broker devices publish to. */
    public enum Mode {
        /** HiveMQ CE inside this process. */
        EMBEDDED,
        /** Another one, which this gateway is a client of. */
        EXTERNAL,
        /** None: no MQTT. */
        NONE
    }

    /** Checks. */
    public MqttSettings {
        require(receiveMaximum >= 1 && receiveMaximum <= 65535, "receive-maximum must be 1 to 65535");
        require(
                deadLetterTopic.indexOf('+') < 0 && deadLetterTopic.indexOf('#') < 0,
                "dead-letter-topic must be a topic");
        require(EnvelopeTopic.parse(deadLetterTopic).isEmpty(), "dead-letter-topic must not be a sender's");
        require(
                !deadLetterTopic.startsWith(TenantTopics.PREFIX),
                "dead-letter-topic must not begin with " + TenantTopics.PREFIX
                        + ": each tenant gets its own by itself");
        require(
                broker != Mode.EXTERNAL || external.uri() != null,
                "external.uri must be given with an external broker");
    }

    /**
     * The embedded broker.
     *
     * @param listen         address and port for MQTT without TLS; empty: none
     * @param tlsListen      address and port for MQTT over TLS; empty: none
     * @param tlsBundle      name of the SSL bundle ({@code spring.ssl.bundle.*}) with its certificate and key
     * @param maxPacket      largest MQTT packet that is taken, from devices that are not logged in too
     * @param maxConnections most connections of devices at a time
     * @param connectTimeout a connection that has not sent its CONNECT by then, with the handshake of TLS before it, is closed
     * @param startTimeout   without effect, and no longer needed: a start may take as long as it takes
     * @param queue          most messages that wait for a subscriber that is away; further ones are dropped
     * @param queueExpiry    messages and sessions of a subscriber that is away for longer are dropped
     * @param limits         how much of it one device may have, and who has not logged in
     */
    public record Embedded(
            @DefaultValue("127.0.0.1:1883") String listen,
            @DefaultValue("") String tlsListen,
            @DefaultValue("") String tlsBundle,
            @DefaultValue("4MB") DataSize maxPacket,
            @DefaultValue("10000") int maxConnections,
            @DefaultValue("10s") Duration connectTimeout,
            @DefaultValue("1000") int queue,
            @DefaultValue("7d") Duration queueExpiry,
            @Nullable Duration startTimeout,
            @DefaultValue Limits limits) {
        /** Checks. */
        public Embedded {
            Listener.parse("embedded.listen", listen);
            Listener.parse("embedded.tls-listen", tlsListen);
            require(
                    tlsListen.isEmpty() || !tlsBundle.isEmpty(),
                    "embedded.tls-bundle must be given with embedded.tls-listen");
            require(
                    maxPacket.toBytes() >= 1024 && maxPacket.toBytes() <= 268_435_460,
                    "embedded.max-packet must be 1KB to 256MB");
            require(maxConnections >= 1, "embedded.max-connections must be at least 1");
            require(connectTimeout.toMillis() >= 100, "embedded.connect-timeout must be at least 100ms");
            require(queue >= 1, "embedded.queue must be at least 1");
            require(
                    queueExpiry.toSeconds() >= 1 && queueExpiry.toSeconds() <= 0xFFFF_FFFEL,
                    "embedded.queue-expiry must be 1s or more");
        }
    }

    /**
     * How much of the embedded broker one device may have, and who has not logged in.
     *
     * @param connectionsPerDevice most connections of a device at a time
     * @param sessionsPerDevice    most sessions of a device: of those client ids that are connected, and of those whose session has not expired
     * @param unfinished           most connections that nobody has logged in on yet, beside max-connections; the oldest is closed for a new one
     * @param unfinishedPerClient  most of them from one IPv4 address or 64 bits of an IPv6 address
     */
    public record Limits(
            @DefaultValue("32") int connectionsPerDevice,
            @DefaultValue("64") int sessionsPerDevice,
            @DefaultValue("1000") int unfinished,
            @DefaultValue("250") int unfinishedPerClient) {
        /** Checks. */
        public Limits {
            require(connectionsPerDevice >= 1, "embedded.limits.connections-per-device must be at least 1");
            require(
                    sessionsPerDevice >= connectionsPerDevice,
                    "embedded.limits.sessions-per-device must be at least connections-per-device");
            require(unfinished >= 1, "embedded.limits.unfinished must be at least 1");
            require(unfinishedPerClient >= 1, "embedded.limits.unfinished-per-client must be at least 1");
        }
    }

    /**
     * An external broker.
     *
     * @param uri           {@code mqtt://HOST:PORT} or {@code mqtts://HOST:PORT}
     * @param user          its user name; empty: none
     * @param passwordFile  a file whose first line is the password; read at each connection
     * @param tlsBundle     name of the SSL bundle with what is trusted and shown; empty: what the system trusts
     * @param clientId      name of the session; each gateway has its own
     * @param group         of the shared subscription; gateways of one group share the work
     * @param sessionExpiry how long the broker keeps what comes while this gateway is away
     * @param keepAlive     a silent connection is checked so often
     */
    public record External(
            @Nullable URI uri,
            @DefaultValue("") String user,
            @Nullable Path passwordFile,
            @DefaultValue("") String tlsBundle,
            @DefaultValue("veilgate-gateway") String clientId,
            @DefaultValue("veilgate") String group,
            @DefaultValue("7d") Duration sessionExpiry,
            @DefaultValue("30s") Duration keepAlive) {
        /** Checks. */
        public External {
            require(
                    uri == null
                            || uri.getHost() != null
                                    && ("mqtt".equals(uri.getScheme()) || "mqtts".equals(uri.getScheme())),
                    "external.uri must be mqtt://HOST:PORT or mqtts://HOST:PORT");
            require(!clientId.isEmpty(), "external.client-id must not be empty");
            require(group.matches("[A-Za-z0-9_.-]+"), "external.group must be letters, digits, '.', '-' and '_'");
            require(
                    sessionExpiry.toSeconds() >= 60 && sessionExpiry.toSeconds() <= 0xFFFF_FFFEL,
                    "external.session-expiry must be 1m or more");
            require(
                    keepAlive.toSeconds() >= 1 && keepAlive.toSeconds() <= 65535,
                    "external.keep-alive must be 1s to 18h");
        }
    }

    /** An address and port. */
    record Listener(String address, int port) {
        /** Null for none. */
        static @Nullable Listener parse(String key, String value) {
            if (value.isEmpty()) {
                return null;
            }
            int colon = value.lastIndexOf(':');
            String port = value.substring(colon + 1);
            require(
                    colon > 0
                            && port.matches("[0-9]{1,5}")
                            && Integer.parseInt(port) >= 1
                            && Integer.parseInt(port) <= 65535,
                    key + " must be ADDRESS:PORT");
            String address = value.substring(0, colon);
            boolean bracketed = address.startsWith("[") && address.endsWith("]");
            return new Listener(
                    bracketed ? address.substring(1, address.length() - 1) : address, Integer.parseInt(port));
        }

        /** @throws IllegalStateException if it cannot be had, saying why */
        void requireFree() {
            try (ServerSocket socket = new ServerSocket()) {
                socket.setReuseAddress(true);
                socket.bind(new InetSocketAddress(address, port));
            } catch (IOException e) {
                throw new IllegalStateException("MQTT cannot listen on " + this + ": " + e.getMessage(), e);
            }
        }

        @Override
        public String toString() {
            return (address.indexOf(':') < 0 ? address : "[" + address + "]") + ":" + port;
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException("veilgate.mqtt." + message);
        }
    }
}
