package dev.veilgate.gateway.broker;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.settings.GatewaySettings;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class BrokerConfiguration {
    /** Closed with the channel that starts it; if the program fails before that, as a bean. */
    @Bean(destroyMethod = "close")
    Broker broker(MqttSettings settings, GatewaySettings gateway, Access access, SslBundles bundles) {
        Broker broker = Brokers.of(settings, gateway.dataDir().resolve("mqtt"), access, bundles);
        broker.prepare();
        return broker;
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
