package dev.veilgate.gateway.deliver;

import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.settings.GatewayId;
import dev.veilgate.gateway.settings.GatewaySettings;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts the outbound side together. */
@Configuration(proxyBeanMethods = false)
class DeliverConfiguration {
    private static final int SMTP_PORT = 25;

    @Bean
    StoredQueue outboundQueue(Database database, GatewayId id, DeliverSettings settings, Clock clock) {
        return new StoredQueue(database, id.value(), settings.lease(), clock);
    }

    @Bean
    Dispatcher dispatcher(
            StoredQueue queue,
            DeliverSettings settings,
            GatewaySettings gateway,
            ObjectProvider<SslBundles> bundles,
            MeterRegistry meters,
            Clock clock) {
        var courier = new Courier(
                settings,
                queue,
                new MailServers(settings.dns(), new SecureRandom()),
                new HopTrust(bundles.getIfAvailable()),
                new SenderPolicy(settings.dns()),
                new OutboundCounters(meters, queue),
                gateway.hostname(),
                clock);
        var lanes = new Lanes(courier, settings, clock);
        return new Dispatcher(queue, new Hop.Table(settings, SMTP_PORT), courier, lanes, settings, clock);
    }

    @Bean
    HealthIndicator outboundHealthIndicator(Dispatcher dispatcher) {
        return () -> (dispatcher.isWorking() ? Health.up() : Health.down()).build();
    }
}
