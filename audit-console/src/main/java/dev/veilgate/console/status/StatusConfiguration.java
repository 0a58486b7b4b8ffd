package dev.veilgate.console.status;

import dev.veilgate.application.connection.DescriptorHealth;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class StatusConfiguration {
    /** How near the process is to the end of its file descriptors. */
    @Bean
    HealthIndicator descriptorsHealthIndicator() {
        return DescriptorHealth.indicator();
    }
}
