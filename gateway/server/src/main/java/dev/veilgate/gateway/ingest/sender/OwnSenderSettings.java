package dev.veilgate.gateway.ingest.sender;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Mail that names a sender of a domain of this site, in MAIL FROM, From or Sender, whom neither a login nor a signature
 * proves. Such domains are those of {@code veilgate.smtp.domains}, and those whose senders a tenant's authority signs
 * for.
 *
 * @param plain   {@code refuse} or {@code take} mail without an index that names such a sender; reports that a mail was
 *                not delivered are taken in any case, from the empty sender and {@code mailer-daemon@} or
 *                {@code postmaster@}
 * @param sealed  {@code refuse} or {@code take} mail with an index that names such a sender; health says how many mails
 *                of seven days that concerns
 * @param clients addresses and networks ({@code 192.0.2.0/24}) of servers that may name senders of domains of this site
 *                without login and signature: mailing lists that send back what is from this site, and what of the site
 *                sends without a login
 * @param logins  mail users who may name all senders of domains of this site, beside those that
 *                {@code veilgate.smtp.reverse-path} permits them
 * @param tenants domains and the tenant whose senders each has, where several tenants are served: no signature of
 *                another tenant's counts there. Of a domain that two tenants' authorities sign for and that is not
 *                named here none does
 */
@ConfigurationProperties("veilgate.ingest.own-senders")
public record OwnSenderSettings(
        @DefaultValue("refuse") Unproven plain,
        @DefaultValue("take") Unproven sealed,
        @DefaultValue List<String> clients,
        @DefaultValue Set<String> logins,
        @DefaultValue Map<String, String> tenants) {
    /** Treatment of mail in the name of a sender whom nothing proves. */
    public enum Unproven {
        /** The mail goes on, and is counted. */
        TAKE,
        /** The mail is refused, and is counted. */
        REFUSE
    }

    /** Values without any setting. */
    static final OwnSenderSettings DEFAULTS =
            new OwnSenderSettings(Unproven.REFUSE, Unproven.TAKE, List.of(), Set.of(), Map.of());

    /** @throws IllegalArgumentException naming the key */
    public OwnSenderSettings {
        clients = List.copyOf(clients);
        clients.forEach(OwnSenderSettings::network);
        logins = logins.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
        tenants = Map.copyOf(tenants);
    }

    /** Tells who of the clients is named. */
    List<IpSubnetFilterRule> networks() {
        return clients.stream().map(OwnSenderSettings::network).toList();
    }

    private static IpSubnetFilterRule network(String text) {
        String[] parts = text.strip().split("/", 2);
        boolean isAddress = NetUtil.isValidIpV4Address(parts[0]) || NetUtil.isValidIpV6Address(parts[0]);
        int most = parts[0].indexOf(':') < 0 ? 32 : 128;
        String bits = parts.length == 2 ? parts[1] : Integer.toString(most);
        if (!isAddress || parts[0].indexOf('%') >= 0 || !bits.matches("\\d{1,3}") || Integer.parseInt(bits) > most) {
            throw new IllegalArgumentException("veilgate.ingest.own-senders.clients must be addresses, or networks as"
                    + " 192.0.2.0/24; " + text + " is neither");
        }
        return new IpSubnetFilterRule(parts[0], Integer.parseInt(bits), IpFilterRuleType.ACCEPT);
    }

    /** Tells if an address is in a network. */
    static boolean isIn(IpSubnetFilterRule network, InetAddress client) {
        return network.matches(new InetSocketAddress(client, 0));
    }
}
