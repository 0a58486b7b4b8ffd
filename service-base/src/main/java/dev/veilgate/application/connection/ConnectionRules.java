package dev.veilgate.application.connection;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.catalina.util.NetMaskSet;
import org.jspecify.annotations.Nullable;

/**
 * Limits of the connections to an HTTP port.
 *
 * @param perAddress    most open ones of an IPv4 address, or of 64 bits of an IPv6 address
 * @param headerTimeout within which a connection must have sent the whole header of a request, with the handshake of
 *                      TLS before it
 * @param unlimited     whether an address may have any number
 */
public record ConnectionRules(int perAddress, Duration headerTimeout, Predicate<InetAddress> unlimited) {
    /** Java takes an address with fewer numbers, too, and for another one than is meant. */
    private static final Pattern WHOLE_IPV4 = Pattern.compile("(?:[0-9]+\\.){3}[0-9]");

    /** Checks. */
    public ConnectionRules {
        if (perAddress < 1) {
            throw new IllegalArgumentException("veilgate.http.connections-per-address must be at least 1");
        }
        if (headerTimeout.toMillis() < 100) {
            throw new IllegalArgumentException("veilgate.http.header-timeout must be at least 100ms");
        }
    }

    /**
     * Rules that limit neither this machine nor the proxies.
     *
     * @param proxies addresses and networks, such as 192.0.2.1 and 2001:db8::/32
     * @throws IllegalArgumentException naming the key
     */
    public static ConnectionRules of(int perAddress, Duration headerTimeout, List<String> proxies) {
        NetMaskSet known = new NetMaskSet();
        for (String proxy : proxies) {
            try {
                InetAddress.ofLiteral(proxy.replaceFirst("/[0-9]+$", "")); // no name, which would be looked up
                known.add(proxy);
            } catch (IllegalArgumentException e) {
                throw noProxy(e);
            }
            if (proxy.indexOf(':') < 0 && !WHOLE_IPV4.matcher(proxy).lookingAt()) {
                throw noProxy(null);
            }
        }
        return new ConnectionRules(
                perAddress, headerTimeout, address -> address.isLoopbackAddress() || known.contains(address));
    }

    private static IllegalArgumentException noProxy(@Nullable Exception cause) {
        return new IllegalArgumentException(
                "veilgate.http.proxies must be addresses or networks, such as 192.0.2.1 or 2001:db8::/32", cause);
    }

    /** Makes the same rules, with more addresses that may have any number. */
    ConnectionRules orUnlimited(Predicate<InetAddress> more) {
        return new ConnectionRules(perAddress, headerTimeout, unlimited.or(more));
    }
}
