package dev.veilgate.settings;

import dev.veilgate.transport.Backoff;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The mail submission proxy.
 *
 * @param host            address to listen on; other than loopback only with passwords and TLS
 * @param port            port to listen on; 0 takes a free one
 * @param certificate     PEM file of the server's certificate and its chain; null for no TLS
 * @param key             PEM file of its private key (PKCS 8, not encrypted)
 * @param passwords       file of users, made by {@code veilgate mail password}; null: everybody who can connect may send
 * @param spool           folder of sealed mail that waits to be sent
 * @param maxMessageBytes most bytes of a message
 * @param partial         whether a mail with some recipients without a key goes to the others
 * @param index           whether mails carry a searchable index
 * @param retry           when to try again and when to give up
 * @param monitor         port on loopback that answers /health and /metrics; -1 for none, 0 takes a free one
 * @param readers     who may read besides the recipients
 * @param form            in which form mail is sealed
 * @param reversePath     which sender addresses users who logged in may use
 */
public record ProxySettings(
        String host,
        int port,
        @Nullable Path certificate,
        @Nullable Path key,
        @Nullable Path passwords,
        Path spool,
        long maxMessageBytes,
        boolean partial,
        boolean index,
        Retry retry,
        int monitor,
        MailReaders readers,
        MailFormSettings form,
        ReversePath reversePath) {
    /** The settings of a proxy whose mails whoever has the tenant's key may read. */
    public ProxySettings(
            String host,
            int port,
            @Nullable Path certificate,
            @Nullable Path key,
            @Nullable Path passwords,
            Path spool,
            long maxMessageBytes,
            boolean partial,
            boolean index,
            Retry retry,
            int monitor,
            MailFormSettings form) {
        this(
                host,
                port,
                certificate,
                key,
                passwords,
                spool,
                maxMessageBytes,
                partial,
                index,
                retry,
                monitor,
                MailReaders.NONE,
                form,
                ReversePath.DOMAIN);
    }

    /** Which sender addresses users who logged in may use. The empty one, of reports, everybody may. */
    public enum ReversePath {
        /** Any. */
        ANY,
        /** Those in the domain of their login; of one without a domain, in a domain for which the bundle has recipients. */
        DOMAIN,
        /** Their login only, which then is an address. */
        LOGIN
    }

    /** Longest message that can be configured. */
    public static final long MAX_MESSAGE_BYTES = 1L << 30;

    /**
     * When to try again: after {@code first}, then after twice as long each time up to {@code longest}.
     *
     * @param giveUpAfter the sender gets a report when a mail is that old
     */
    public record Retry(Duration first, Duration longest, Duration giveUpAfter) {
        /** One minute, one hour, three days. */
        public static final Retry DEFAULT = new Retry(Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofDays(3));

        /** @throws IllegalArgumentException naming what is wrong */
        public Retry {
            require(
                    first.isPositive() && longest.compareTo(first) >= 0 && giveUpAfter.isPositive(),
                    "retry: first and give-up must be positive, longest at least first");
        }

        /** The pause after so many failed attempts, 1 for the first. */
        public Duration pause(int attempts) {
            return Backoff.doubling(first, longest, Backoff.Spread.NONE).pause(attempts);
        }
    }

    /** @throws IllegalArgumentException naming what is wrong */
    public ProxySettings {
        require(port >= 0 && port <= 65535, "a port is 0 to 65535");
        require(monitor >= -1 && monitor <= 65535, "the monitor's port is -1 to 65535");
        require((certificate == null) == (key == null), "TLS needs both, a certificate and its key");
        require(
                maxMessageBytes >= 1024 && maxMessageBytes <= MAX_MESSAGE_BYTES,
                "the longest message must be 1,024 to " + MAX_MESSAGE_BYTES + " bytes");
        require(
                RelaySettings.isLoopback(host) || certificate != null && passwords != null,
                "listening on " + host
                        + ", where others can connect, needs TLS (certificate and key) and a password file");
    }

    private static void require(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
