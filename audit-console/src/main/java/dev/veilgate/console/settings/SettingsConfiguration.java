package dev.veilgate.console.settings;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ConsoleSettings.KeySettings.class, ConsoleSettings.GatewaySettings.class})
class SettingsConfiguration {}
