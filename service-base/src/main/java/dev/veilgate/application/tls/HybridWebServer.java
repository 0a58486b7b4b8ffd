package dev.veilgate.application.tls;

import dev.veilgate.transport.TlsContext;
import org.apache.coyote.http11.AbstractHttp11Protocol;
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

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addConnectorCustomizers(connector -> {
            if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> protocol) {
                protocol.setSslImplementationName(TomcatTls.class.getName());
            }
        });
    }
}
