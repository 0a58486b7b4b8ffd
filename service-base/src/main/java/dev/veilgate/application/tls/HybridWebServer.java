package dev.veilgate.application.tls;

import dev.veilgate.transport.TlsContext;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;

/**
 * Gives Tomcat the TLS of {@link TlsContext}, and says once in the log which key exchange all TLS of this program
 * offers.
 */
public final class HybridWebServer implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
    private static final Logger LOG = LoggerFactory.getLogger(HybridWebServer.class);

    /** A customizer; its making is said in the log. */
    public HybridWebServer() {
        if (TlsContext.isAsIntended()) {
            LOG.info("{}", TlsContext.status());
        } else {
            LOG.warn("{}", TlsContext.status());
        }
    }

    /** Tomcat would warn at each start of versions that are in its default and in no TLS of ours. */
    private static void leaveOutOldVersions(SSLHostConfig host) {
        Set<String> versions = new TreeSet<>(host.getProtocols());
        versions.retainAll(Set.of("TLSv1.2", "TLSv1.3"));
        if (!versions.isEmpty()) {
            host.setProtocols(String.join("+", versions));
        }
    }

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addConnectorCustomizers(connector -> {
            if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> protocol) {
                protocol.setSslImplementationName(TomcatTls.class.getName());
                Arrays.stream(connector.findSslHostConfigs()).forEach(HybridWebServer::leaveOutOldVersions);
            }
        });
    }
}
