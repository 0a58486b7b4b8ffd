package dev.veilgate.gateway.tenant;

import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;

@Configuration(proxyBeanMethods = false)
class TenantConfiguration {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

    @Bean
    Tenants tenants(GatewaySettings settings, IndexSchemes schemes, Clock clock, TaskScheduler scheduler)
            throws IOException {
        BundleTenants tenants =
                new BundleTenants(settings.tenants(), settings.dataDir().resolve("bundles"), schemes, clock);
        scheduler.scheduleWithFixedDelay(tenants::refresh, clock.instant().plus(LOOK_EVERY), LOOK_EVERY);
        return tenants;
    }
}
