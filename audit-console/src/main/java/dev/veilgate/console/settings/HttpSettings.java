package dev.veilgate.console.settings;

import dev.veilgate.application.connection.ConnectionRules;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Connections to the HTTP ports: the one of the interface, and the one of management if there is one.
 *
 * @param connectionsPerAddress most open connections of one IPv4 address or 64 bits of an IPv6 address to each port;
 * for a new one the oldest without a whole request is closed
 * @param headerTimeout         within which a connection must have sent the whole header of a request, with the
 * handshake of TLS before it, or else it is closed
 * @param proxies               addresses and networks that may have any number of connections, such as 192.0.2.1 or
 * 2001:db8::/32: proxies and load balancers. This machine and proxies that Tomcat trusts
 * (server.tomcat.remoteip.internal-proxies and trusted-proxies, with server.forward-headers-strategy=native) need not
 * be named
 */
@ConfigurationProperties("veilgate.http")
public record HttpSettings(
        @DefaultValue("256") int connectionsPerAddress,
        @DefaultValue("20s") Duration headerTimeout,
        @DefaultValue List<String> proxies) {
    /** @throws IllegalArgumentException naming the key */
    public HttpSettings {
        proxies = List.copyOf(proxies);
        ConnectionRules.of(connectionsPerAddress, headerTimeout, proxies);
    }

    /** Makes the rules that these settings are. */
    public ConnectionRules rules() {
        return ConnectionRules.of(connectionsPerAddress, headerTimeout, proxies);
    }
}
