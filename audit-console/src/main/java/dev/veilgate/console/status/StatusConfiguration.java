package dev.veilgate.console.status;

import dev.veilgate.application.connection.DescriptorHealth;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class StatusConfiguration {
    /** Health of the file descriptors: degraded before the process has no more. */
    @Bean
    HealthIndicator descriptorsHealthIndicator() {
        return DescriptorHealth.indicator();
    }
}
