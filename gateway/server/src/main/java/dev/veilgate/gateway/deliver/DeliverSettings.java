package dev.veilgate.gateway.deliver;

import dev.veilgate.transport.Backoff;
import dev.veilgate.transport.smtp.SmtpTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Mail out.
 *
 * @param relays         next hop of mail for a domain, by domain, with the keys of {@code smart-host}; as a key {@code veilgate.deliver.relays[example.org].host}
 * @param smartHost      where all other mail goes; without it, to the mail servers that DNS names for its domain
 * @param mxTls          how those are spoken to: {@code none}, {@code opportunistic} (STARTTLS with any certificate, in clear where there is none) or {@code required} (verified)
 * @param dns            name server as host or host:port; empty: those of the machine
 * @param parallel       connections to one next hop at a time
 * @param connectTimeout for a connection to be made
 * @param timeout        for an answer of the next hop; RFC 5321 asks for 5 minutes
 * @param poll           how often the queue is looked at for what other gateways put there
 * @param lease          for how long a gateway that works on a mail has it for itself; it renews that while it lives
 * @param retry          how often it is tried again
 */
@ConfigurationProperties("veilgate.deliver")
public record DeliverSettings(
        @DefaultValue Map<String, Relay> relays,
        @Nullable Relay smartHost,
        @DefaultValue("opportunistic") SmtpTls mxTls,
        @DefaultValue("") String dns,
        @DefaultValue("4") int parallel,
        @DefaultValue("30s") Duration connectTimeout,
        @DefaultValue("5m") Duration timeout,
        @DefaultValue("1s") Duration poll,
        @DefaultValue("5m") Duration lease,
        @DefaultValue Retry retry) {

    /**
     * A next hop.
     *
     * @param host         name or address
     * @param port         of its SMTP
     * @param tls          how it is spoken to: as {@code mx-tls}, or {@code implicit} (TLS from the first byte, verified)
     * @param sslBundle    name of the Spring SSL bundle with the authorities that are trusted; empty: those of the machine
     * @param user         to log in; empty: not
     * @param passwordFile holds the password in its first line
     */
    public record Relay(
            String host,
            @DefaultValue("25") int port,
            @DefaultValue("opportunistic") SmtpTls tls,
            @DefaultValue("") String sslBundle,
            @DefaultValue("") String user,
            @Nullable Path passwordFile) {
        private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "::1");

        /** @throws IllegalArgumentException naming the key */
        @SuppressWarnings("ConstantValue")
        public Relay {
            require(host != null && !host.isBlank(), "relays[].host", "set");
            require(port > 0 && port < 65536, "relays[].port", "from 1 to 65535");
            require(
                    user.isEmpty() == (passwordFile == null),
                    "relays[].password-file",
                    "set if user is, and only then");
            require(
                    user.isEmpty() || tls.isVerified() || LOOPBACK.contains(host),
                    "relays[].tls",
                    "required or implicit where a password is sent");
        }
    }

    /**
     * How often a mail is tried again that was refused for now.
     *
     * @param first       pause before the second attempt; doubles each time
     * @param longest     pause
     * @param giveUpAfter then it goes back to its sender
     */
    public record Retry(
            @DefaultValue("1m") Duration first,
            @DefaultValue("2h") Duration longest,
            @DefaultValue("4d") Duration giveUpAfter) {
        /** @throws IllegalArgumentException naming the key */
        public Retry {
            require(first.isPositive(), "retry.first", "positive");
            require(longest.compareTo(first) >= 0, "retry.longest", "at least retry.first");
            require(giveUpAfter.isPositive(), "retry.give-up-after", "positive");
        }

        /** The pause after an attempt that failed as so many before it. */
        Duration pause(int attempts) {
            return Backoff.doubling(first, longest, Backoff.Spread.NONE).pause(attempts + 1);
        }
    }

    /** @throws IllegalArgumentException naming the key */
    public DeliverSettings {
        var lower = new TreeMap<String, Relay>();
        relays.forEach((domain, relay) -> lower.put(domain.toLowerCase(Locale.ROOT), relay));
        relays = Map.copyOf(lower);
        require(mxTls != SmtpTls.IMPLICIT, "mx-tls", "none, opportunistic or required");
        require(parallel > 0 && parallel <= 100, "parallel", "from 1 to 100");
        require(connectTimeout.isPositive(), "connect-timeout", "positive");
        require(timeout.isPositive(), "timeout", "positive");
        require(poll.isPositive(), "poll", "positive");
        require(lease.isPositive(), "lease", "positive");
    }

    private static void require(boolean good, String key, String allowed) {
        if (!good) {
            throw new IllegalArgumentException("veilgate.deliver." + key + " must be " + allowed);
        }
    }
}
