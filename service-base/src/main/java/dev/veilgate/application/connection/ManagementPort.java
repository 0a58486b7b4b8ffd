package dev.veilgate.application.connection;

import dev.veilgate.application.tls.HybridWebServer;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/**
 * Server of health and metrics on a port of its own ({@code management.server.port}). Spring makes it in a second
 * context, which sees the beans of the first but does not let them customize it: this configuration, loaded there
 * through {@code META-INF/spring}, does.
 */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
class ManagementPort {
    @Bean
    WebServerFactoryCustomizer<TomcatWebServerFactory> managementPortCustomizer(
            HybridWebServer tls, HttpConnections connections) {
        return factory -> {
            tls.customize(factory);
            connections.customize(factory);
        };
    }
}
