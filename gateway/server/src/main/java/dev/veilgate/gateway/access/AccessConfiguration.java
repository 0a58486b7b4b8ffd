package dev.veilgate.gateway.access;

import dev.veilgate.gateway.settings.GatewaySettings;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;

@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    @Bean
    AccessFile access(GatewaySettings settings, Clock clock, TaskScheduler scheduler) throws IOException {
        AccessFile access = new AccessFile(settings.accessFile());
        scheduler.scheduleWithFixedDelay(access::refresh, clock.instant().plus(LOOK_EVERY), LOOK_EVERY);
        return access;
    }

    @Bean
    TenantAccess tenantAccess(AccessFile access) {
        return new TenantAccess(access, new SecureRandom());
    }
}
