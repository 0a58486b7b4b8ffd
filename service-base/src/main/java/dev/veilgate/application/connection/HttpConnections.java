package dev.veilgate.application.connection;

import dev.veilgate.application.connection.PortConnections.Ending;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.net.InetAddress;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.catalina.Valve;
import org.apache.catalina.util.NetMaskSet;
import org.apache.catalina.valves.RemoteIpValve;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * Limit of the connections that one address may have open at each HTTP port of a service, and what is measured of
 * them. Proxies whose word on a client's address Tomcat takes ({@code server.forward-headers-strategy},
 * {@code server.tomcat.remoteip.*}) have no limit.
 */
public final class HttpConnections implements WebServerFactoryCustomizer<TomcatWebServerFactory>, MeterBinder {
    private final ConnectionRules rules;
    private final List<PortConnections> ports = new CopyOnWriteArrayList<>();

    /** Connections under rules that hold for each port. */
    public HttpConnections(ConnectionRules rules) {
        this.rules = rules;
    }

    @Override
    public void customize(TomcatWebServerFactory factory) {
        factory.setProtocol(LimitedProtocol.class.getName());
        factory.addConnectorCustomizers(connector -> {
            if (connector.getProtocolHandler() instanceof LimitedProtocol protocol) {
                PortConnections port = new PortConnections(rules.orUnlimited(proxies(factory.getEngineValves())));
                protocol.limit(port);
                ports.add(port);
            }
        });
    }

    private static Predicate<InetAddress> proxies(Collection<Valve> valves) {
        Predicate<InetAddress> all = address -> false;
        for (Valve valve : valves) {
            if (valve instanceof RemoteIpValve proxies) {
                all = all.or(named(proxies.getInternalProxies())).or(named(proxies.getTrustedProxies()));
            }
        }
        return all;
    }

    /** Reads a list as that valve does: networks where there is a slash, else a regular expression. */
    private static Predicate<InetAddress> named(@Nullable String list) {
        if (list == null || list.isEmpty()) {
            return address -> false;
        }
        if (list.indexOf('/') > 0) {
            return NetMaskSet.parse(list)::contains;
        }
        Pattern pattern = Pattern.compile(list);
        return address -> pattern.matcher(address.getHostAddress()).matches();
    }

    /** How many are open at all ports. */
    public int size() {
        return ports.stream().mapToInt(PortConnections::size).sum();
    }

    /** How many have not sent the whole header of a request. */
    public long unfinished() {
        return ports.stream().mapToLong(PortConnections::unfinished).sum();
    }

    /** How many addresses with a limit they come from; one that is connected to two ports counts twice. */
    public int addresses() {
        return ports.stream().mapToInt(PortConnections::clients).sum();
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        Gauge.builder("veilgate.http.connections", this, HttpConnections::size)
                .description("connections to the HTTP ports")
                .register(meters);
        Gauge.builder("veilgate.http.connections.unfinished", this, HttpConnections::unfinished)
                .description("connections whose handshake or first header of a request is not whole yet")
                .register(meters);
        for (Ending ending : Ending.values()) {
            FunctionCounter.builder(
                            "veilgate.http.connections.closed",
                            ports,
                            all -> all.stream()
                                    .mapToLong(port -> port.ended(ending))
                                    .sum())
                    .tag("reason", ending.name().toLowerCase(Locale.ROOT))
                    .description("connections that were closed by the limits")
                    .register(meters);
        }
    }
}
