package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.ingest.sender.MailDomain;
import dev.veilgate.gateway.memory.HeapTurns;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Mail in.
 *
 * @param listeners      where it listens: a list, each with {@code host} (127.0.0.1; 0.0.0.0 for all), {@code port},
 *                       {@code tls} ({@code none}, {@code starttls} or {@code implicit}; starttls) and
 *                       {@code auth-required} (false: whether only users who logged in may send); none: no SMTP
 * @param sslBundle      name of the Spring SSL bundle ({@code spring.ssl.bundle.pem.NAME}) with certificate and key;
 *                       with {@code reload-on-update} it is read again when its files change. Needed where a listener
 *                       has TLS
 * @param domains        domains for which mail is taken from anybody, by name, each with {@code plain}: {@code relay}
 *                       or {@code refuse} (refuse) mail that is not sealed; and {@code recipients}: {@code known},
 *                       those for whom a bundle has a certificate, if one has any for the domain, or {@code any}
 *                       (known, but any where plain mail is relayed); as a key
 *                       {@code veilgate.smtp.domains[example.org].plain}
 * @param plainElsewhere the same for mail of users who logged in to all other domains
 * @param reports        {@code relay} or {@code refuse} reports that a mail was not delivered (RFC 3464, from nobody
 *                       to one recipient, up to 256 KiB) for domains that take sealed mail only; without them a sender
 *                       does not learn that a mail failed
 * @param reversePath    which sender addresses users who logged in may use: {@code any}, those of a {@code domain}
 *                       served here, or their {@code login} only; the same for senders of domains of this site in From
 *                       and Sender ({@code veilgate.ingest.own-senders})
 * @param maxMessage     longest message; announced as SIZE. Less where Java has less memory than 128 MB and six times
 *                       as much; large ones take turns at it ({@code veilgate.ingest.large-mails})
 * @param timeout        within this a client must send a whole command or 64 KiB of a message, or else the connection
 *                       is closed; RFC 5321 asks for 5 minutes
 * @param stopTimeout    how long messages in progress may take to end when the gateway stops, of the ten seconds
 *                       that its whole stop may take
 * @param limits         against those who send too much
 */
@ConfigurationProperties("veilgate.smtp")
public record SmtpSettings(
        @DefaultValue List<Listener> listeners,
        @DefaultValue("") String sslBundle,
        @DefaultValue Map<String, Domain> domains,
        @DefaultValue("refuse") Plain plainElsewhere,
        @DefaultValue("relay") Plain reports,
        @DefaultValue("domain") ReversePath reversePath,
        @DefaultValue("72MB") DataSize maxMessage,
        @DefaultValue("5m") Duration timeout,
        @DefaultValue("3s") Duration stopTimeout,
        @DefaultValue Limits limits) {

    /** Parts of the memory for messages: half for large ones that are worked on, two for those that come in. */
    private static final int PARTS = 6;

    private static final int PARTS_COMING_IN = 2;

    /** What happens to mail that is not sealed. */
    public enum Plain {
        /** It goes on to its recipients and is neither stored nor indexed. */
        RELAY,
        /** It is refused. */
        REFUSE
    }

    /** For whom in a domain mail is taken. */
    public enum Recipients {
        /** For those for whom a bundle has a certificate; for anybody if none has one for the domain. */
        KNOWN,
        /** For anybody. */
        ANY
    }

    /** Which sender addresses users who logged in may use. The empty one, of reports, everybody may. */
    public enum ReversePath {
        /** Any. */
        ANY,
        /** Those in a domain that is served here. */
        DOMAIN,
        /** Their login only, which then is an address. */
        LOGIN
    }

    /** How a listener is protected. */
    public enum Tls {
        /** Not at all: then nobody can log in but over loopback. */
        NONE,
        /** By STARTTLS, if the client asks for it. */
        STARTTLS,
        /** From the first byte. */
        IMPLICIT
    }

    /**
     * Where it listens.
     *
     * @param host         address; all if it is 0.0.0.0 or ::
     * @param port         0 for any
     * @param tls          how it is protected
     * @param authRequired whether only users who logged in may send
     */
    public record Listener(
            @DefaultValue("127.0.0.1") String host,
            int port,
            @DefaultValue("starttls") Tls tls,
            @DefaultValue("false") boolean authRequired) {
        /** Checks the port. */
        public Listener {
            require(port >= 0 && port < 65536, "listeners[].port", "from 0 to 65535");
        }
    }

    /**
     * A domain that is served.
     *
     * @param plain      what happens to mail for it that is not sealed
     * @param recipients for whom mail is taken; null: {@link Recipients#KNOWN}, or {@link Recipients#ANY} where plain
     *                   mail is relayed
     */
    public record Domain(
            @DefaultValue("refuse") Plain plain, @Nullable Recipients recipients) {}

    /**
     * Limits. A sender is the user who logged in, otherwise the sender address; a client is its IPv4 address or the
     * first 64 bits of its IPv6 address.
     *
     * @param connections                   open at once
     * @param connectionsPerClient          open at once of one client
     * @param messagesPerConnection         then it is closed
     * @param recipientsPerMessage          more are told to come in another message
     * @param messagesPerMinutePerClient    more are put off
     * @param messagesPerMinutePerSender    more are put off
     * @param recipientsPerMinutePerSender  more are put off
     * @param errors                        commands of a connection that were refused; then it is closed
     * @param commandsWithoutMessage        commands of a connection since its last message; then it is closed
     * @param buffered                      memory for all messages in progress; more are put off
     * @param bufferedPerClient             of that, for the messages of one client; never less than one message needs
     * @param bufferedPerNetwork            of that, for the messages of one network: the first 24 bits of an IPv4
     *                                      address, 48 of an IPv6 address
     * @param minimumRate                   so much a second a message of more than 64 KiB must bring, looked at every
     *                                      fifth of {@code timeout}; the more memory it takes, the more, so that it is
     *                                      there within ten minutes. A slower connection is closed
     */
    public record Limits(
            @DefaultValue("512") int connections,
            @DefaultValue("32") int connectionsPerClient,
            @DefaultValue("1000") int messagesPerConnection,
            @DefaultValue("100") int recipientsPerMessage,
            @DefaultValue("3000") int messagesPerMinutePerClient,
            @DefaultValue("1000") int messagesPerMinutePerSender,
            @DefaultValue("2000") int recipientsPerMinutePerSender,
            @DefaultValue("20") int errors,
            @DefaultValue("300") int commandsWithoutMessage,
            @DefaultValue("192MB") DataSize buffered,
            @DefaultValue("96MB") DataSize bufferedPerClient,
            @DefaultValue("144MB") DataSize bufferedPerNetwork,
            @DefaultValue("1KB") DataSize minimumRate) {
        /** Checks that all are positive. */
        public Limits {
            requirePositive(connections, "connections");
            requirePositive(connectionsPerClient, "connections-per-client");
            requirePositive(messagesPerConnection, "messages-per-connection");
            requirePositive(recipientsPerMessage, "recipients-per-message");
            requirePositive(messagesPerMinutePerClient, "messages-per-minute-per-client");
            requirePositive(messagesPerMinutePerSender, "messages-per-minute-per-sender");
            requirePositive(recipientsPerMinutePerSender, "recipients-per-minute-per-sender");
            requirePositive(errors, "errors");
            requirePositive(commandsWithoutMessage, "commands-without-message");
            requirePositive(buffered.toBytes(), "buffered");
            requirePositive(bufferedPerClient.toBytes(), "buffered-per-client");
            requirePositive(bufferedPerNetwork.toBytes(), "buffered-per-network");
            requirePositive(minimumRate.toBytes(), "minimum-rate");
        }

        private Limits buffering(DataSize all) {
            return new Limits(
                    connections,
                    connectionsPerClient,
                    messagesPerConnection,
                    recipientsPerMessage,
                    messagesPerMinutePerClient,
                    messagesPerMinutePerSender,
                    recipientsPerMinutePerSender,
                    errors,
                    commandsWithoutMessage,
                    all,
                    bufferedPerClient,
                    bufferedPerNetwork,
                    minimumRate);
        }

        private static void requirePositive(long value, String key) {
            require(value > 0, "limits." + key, "positive");
        }
    }

    /** Checks the values. */
    public SmtpSettings {
        listeners = List.copyOf(listeners);
        domains = lowerCase(domains);
        require(maxMessage.toBytes() > 0 && maxMessage.toBytes() <= 1 << 30, "max-message", "from 1 byte to 1 GiB");
        require(!timeout.isNegative() && !timeout.isZero(), "timeout", "positive");
        require(!stopTimeout.isNegative(), "stop-timeout", "0 or positive");
        require(
                limits.buffered().compareTo(maxMessage) >= 0,
                "limits.buffered",
                "at least veilgate.smtp.max-message, or no such message could ever come in");
        boolean tls = listeners.stream().anyMatch(listener -> listener.tls() != Tls.NONE);
        require(
                !tls || !sslBundle.isEmpty(),
                "ssl-bundle",
                "set, since a listener has TLS (tls: none would do without)");
    }

    /**
     * These settings with no longer messages, and no more of them at once, than fit into the memory of Java. Half of
     * what it has for messages is for those that are worked on ({@link HeapTurns}), a third for those that come in or
     * wait, and a sixth for one that is put together.
     *
     * @param heap most bytes of it
     */
    SmtpSettings withinHeap(long heap) {
        long part = HeapTurns.room(heap) / PARTS;
        DataSize message = least(maxMessage, part);
        Limits fitting = limits.buffering(least(limits.buffered(), PARTS_COMING_IN * part));
        return new SmtpSettings(
                listeners,
                sslBundle,
                domains,
                plainElsewhere,
                reports,
                reversePath,
                message,
                timeout,
                stopTimeout,
                fitting);
    }

    private static DataSize least(DataSize size, long bytes) {
        return size.toBytes() <= bytes ? size : DataSize.ofBytes(bytes);
    }

    /** Whether mail for the domain is taken from anybody. */
    boolean serves(String domain) {
        return domains.containsKey(domain.toLowerCase(Locale.ROOT));
    }

    /** Tells if who logged in may use a sender address, in any spelling of its domain. */
    boolean mayUse(Principal login, String address) {
        return switch (reversePath) {
            case ANY -> true;
            case DOMAIN -> {
                String domain = MailDomain.normal(address.substring(address.lastIndexOf('@') + 1));
                yield domains.keySet().stream()
                        .flatMap(own -> MailDomain.forms(own).stream())
                        .anyMatch(domain::equals);
            }
            case LOGIN -> MailDomain.addressForms(login.name()).contains(MailDomain.normalAddress(address));
        };
    }

    /** What happens to mail for the domain that is not sealed. */
    Plain plain(String domain) {
        @Nullable Domain served = domains.get(domain.toLowerCase(Locale.ROOT));
        return served == null ? plainElsewhere : served.plain();
    }

    /** For whom in a domain mail is taken. */
    Recipients recipients(String domain) {
        @Nullable Domain served = domains.get(domain.toLowerCase(Locale.ROOT));
        if (served == null) {
            return Recipients.ANY;
        }
        return served.recipients() != null
                ? served.recipients()
                : served.plain() == Plain.RELAY ? Recipients.ANY : Recipients.KNOWN;
    }

    private static Map<String, Domain> lowerCase(Map<String, Domain> domains) {
        var lower = new TreeMap<String, Domain>();
        domains.forEach((name, domain) -> lower.put(name.toLowerCase(Locale.ROOT), domain));
        return Map.copyOf(lower);
    }

    private static void require(boolean good, String key, String allowed) {
        if (!good) {
            throw new IllegalArgumentException("veilgate.smtp." + key + " must be " + allowed);
        }
    }
}
