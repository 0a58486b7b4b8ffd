package dev.veilgate.gateway.settings;

import dev.veilgate.application.settings.NativeLibrary;
import dev.veilgate.application.settings.SettingsCheck;
import dev.veilgate.application.settings.SizeConverter;
import java.io.IOException;
import org.springframework.boot.context.properties.ConfigurationPropertiesBinding;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class SettingsConfiguration {
    @Bean
    static SettingsCheck settingsCheck() {
        return new SettingsCheck(GatewaySettings.class, "docs/settings-gateway.md");
    }

    @Bean
    static NativeLibrary nativeLibrary() {
        return new NativeLibrary();
    }

    @Bean
    @ConfigurationPropertiesBinding
    static SizeConverter sizeConverter() {
        return new SizeConverter();
    }

    @Bean
    GatewayId gatewayId(GatewaySettings gateway) throws IOException {
        return GatewayId.of(gateway.dataDir());
    }
}
