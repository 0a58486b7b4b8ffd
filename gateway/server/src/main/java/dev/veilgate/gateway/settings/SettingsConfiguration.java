package dev.veilgate.gateway.settings;

import dev.veilgate.application.settings.SettingsCheck;
import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SettingsConfiguration {
    @Bean
    static SettingsCheck settingsCheck() {
        return new SettingsCheck(GatewaySettings.class, "docs/settings-gateway.md");
    }

    @Bean
    GatewayId gatewayId(GatewaySettings gateway) throws IOException {
        return GatewayId.of(gateway.dataDir());
    }
}
