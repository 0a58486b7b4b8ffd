package dev.veilgate.gateway.settings;

import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SettingsConfiguration {
    @Bean
    GatewayId gatewayId(GatewaySettings gateway) throws IOException {
        return GatewayId.of(gateway.dataDir());
    }
}
