package dev.veilgate.gateway.broker;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class BrokerConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerConfiguration.class);

    /** Closed with the channel that starts it; if the program fails before that, as a bean. */
    @Bean(destroyMethod = "close")
    Broker broker(
            MqttSettings settings,
            GatewaySettings gateway,
            Access access,
            SslBundles bundles,
            TenantTopics topics,
            MeterRegistry meters) {
        Broker broker = Brokers.of(settings, gateway.dataDir().resolve("mqtt"), access, bundles, topics, meters);
        broker.prepare();
        return broker;
    }

    @Bean
    TenantTopics tenantTopics(MqttSettings settings, Tenants tenants) {
        TenantTopics topics = new TenantTopics(
                settings.plainTopicsOf(),
                () -> tenants.all().stream().map(Tenant::name).toList());
        topics.describe().ifPresent(LOG::info);
        return topics;
    }

    @Bean
    MeterBinder brokerMeters(Broker broker) {
        return registry -> {
            for (int qos : new int[] {0, 2}) {
                FunctionCounter.builder("veilgate.mqtt.refused", broker, asked -> asked.refused(qos))
                        .tag("qos", Integer.toString(qos))
                        .description("Messages that devices published with another QoS than 1")
                        .register(registry);
            }
        };
    }
}
