package dev.veilgate.gateway.broker;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.settings.GatewaySettings;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class BrokerConfiguration {
    @Bean(destroyMethod = "")
    Broker broker(MqttSettings settings, GatewaySettings gateway, Access access, SslBundles bundles) {
        return Brokers.of(settings, gateway.dataDir().resolve("mqtt"), access, bundles);
    }
}
