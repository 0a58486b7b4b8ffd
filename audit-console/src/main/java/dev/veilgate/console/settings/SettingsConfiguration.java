package dev.veilgate.console.settings;

import dev.veilgate.application.settings.NativeLibrary;
import dev.veilgate.application.settings.SettingsCheck;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ConsoleSettings.KeySettings.class, ConsoleSettings.GatewaySettings.class})
class SettingsConfiguration {
    @Bean
    static SettingsCheck settingsCheck() {
        return new SettingsCheck(ConsoleSettings.class, "docs/settings-console.md");
    }

    @Bean
    static NativeLibrary nativeLibrary() {
        return new NativeLibrary();
    }
}
