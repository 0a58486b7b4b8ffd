package dev.veilgate.gateway.status;

import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.http.BearerFilter;
import dev.veilgate.gateway.http.BearerTokens;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import tools.jackson.databind.json.JsonMapper;

/**
 * The demand for a token in front of metrics and of whatever else an operator exposes below {@code /actuator}. Spring
 * serves these on a port of their own
 * ({@code management.server.port}) from a second context, which sees the beans of the first, but not the filters:
 * this configuration is loaded in both, there through
 * {@code META-INF/spring}.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
class EndpointsConfiguration {
    /** Counts say when somebody sends and how much: all but health needs a token. */
    @Bean
    FilterRegistrationBean<BearerFilter> endpointsFilter(
            BearerTokens tokens, JsonMapper json, ObjectProvider<PathMappedEndpoints> endpoints) {
        FilterRegistrationBean<BearerFilter> registration = new FilterRegistrationBean<>(
                new BearerFilter(tokens, json, Right.STATUS, new GuardedEndpoints(endpoints::getObject)));
        registration.addUrlPatterns("/*");
        registration.setAsyncSupported(true);
        return registration;
    }
}
