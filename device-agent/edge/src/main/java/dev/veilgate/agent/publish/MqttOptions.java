package dev.veilgate.agent.publish;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a broker.
 *
 * @param url            mqtt:// or mqtts://, host, port
 * @param clientId       stable name of the session
 * @param user           empty for none
 * @param password       read at each connection; null for none
 * @param tls            what is trusted and shown; used by mqtts
 * @param keepAlive      a silent connection is checked so often
 * @param sessionExpiry  how long the broker keeps the session
 * @param connectTimeout for the connection and the handshake
 * @param ackTimeout     a connection whose broker acknowledges nothing for so long is given up
 * @param inFlight       most envelopes that wait for an acknowledgement
 * @param backoffMax     longest wait before another try
 */
public record MqttOptions(
        URI url,
        String clientId,
        String user,
        @Nullable PasswordSource password,
        TlsOptions tls,
        Duration keepAlive,
        Duration sessionExpiry,
        Duration connectTimeout,
        Duration ackTimeout,
        int inFlight,
        Duration backoffMax) {

    /**
     * Certificates of a connection.
     *
     * @param ca               PEM file of authorities that are trusted instead of those of the system
     * @param certificate      PEM file of the client's chain
     * @param key              PEM file of its key
     * @param keyStore         PKCS #12 file of both
     * @param keyStorePassword its password
     */
    public record TlsOptions(
            @Nullable Path ca,
            @Nullable Path certificate,
            @Nullable Path key,
            @Nullable Path keyStore,
            @Nullable PasswordSource keyStorePassword) {}

    /** Without what is secret. */
    @Override
    public String toString() {
        return "MqttOptions[" + url + "]";
    }
}
