package dev.veilgate.gateway.route;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;

/**
 * Finds public addresses only, at the moment of the connection, so that a webhook looks into no private network, whatever its name is made to
 * resolve to.
 */
final class PublicAddresses implements DnsResolver {
    private final DnsResolver resolver;

    PublicAddresses() {
        this(SystemDefaultDnsResolver.INSTANCE);
    }

    PublicAddresses(DnsResolver resolver) {
        this.resolver = resolver;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        InetAddress[] all = resolver.resolve(host);
        InetAddress[] open =
                Arrays.stream(all).filter(PublicAddresses::isPublic).toArray(InetAddress[]::new);
        if (open.length == 0) {
            throw new UnknownHostException(
                    "it has no public address, and veilgate.route.webhook.allow-private is false");
        }
        return open;
    }

    @Override
    public String resolveCanonicalHostname(String host) throws UnknownHostException {
        return resolver.resolveCanonicalHostname(host);
    }

    static boolean isPublic(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        byte[] bytes = address.getAddress();
        int first = bytes[0] & 0xFF;
        int second = bytes[1] & 0xFF;
        if (address instanceof Inet4Address) {
            return first != 0 // this network
                    && !(first == 100 && (second & 0xC0) == 64) // carriers' own
                    && !(first == 192 && second == 0 && bytes[2] == 0) // protocol assignments
                    && !(first == 198 && (second & 0xFE) == 18) // benchmarks
                    && first < 240; // reserved, broadcast
        }
        // global unicast without the forms that have an IPv4 address inside: 2001::/32 (Teredo), 2002::/16 (6to4)
        return (first & 0xE0) == 0x20
                && !(first == 0x20 && second == 0x02)
                && !(first == 0x20 && second == 0x01 && bytes[2] == 0 && bytes[3] == 0);
    }
}
