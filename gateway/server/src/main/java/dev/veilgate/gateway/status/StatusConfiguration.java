package dev.veilgate.gateway.status;

import dev.veilgate.application.connection.DescriptorHealth;
import dev.veilgate.gateway.ingest.IngestStatus;
import dev.veilgate.pq.PostQuantum;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class StatusConfiguration {
    /** Whether what was taken gets stored. */
    @Bean
    HealthIndicator ingestHealthIndicator(IngestStatus status) {
        return () -> status.trouble()
                .map(trouble -> Health.down().withDetail("trouble", trouble))
                .orElseGet(Health::up)
                .withDetail("setAside", status.setAside())
                .build();
    }

    /**
     * Whether the database answers, takes what it is given, and has what it had. In place of Spring's, which asks
     * connections only.
     */
    @Bean
    HealthIndicator dbHealthIndicator(IngestStatus status) {
        return () -> status.databaseTrouble()
                .map(trouble -> Health.down().withDetail("trouble", trouble))
                .orElseGet(Health::up)
                .build();
    }

    /** Whether there is room for more. */
    @Bean
    HealthIndicator diskHealthIndicator(IngestStatus status) {
        return () -> (status.diskIsFull() ? Health.down() : Health.up())
                .withDetail("free", status.freeBytes())
                .build();
    }

    /** Health of the file descriptors: degraded before the process has no more. */
    @Bean
    HealthIndicator descriptorsHealthIndicator() {
        return DescriptorHealth.indicator();
    }

    /** Who computes the post-quantum algorithms. */
    @Bean
    HealthIndicator postQuantumHealthIndicator() {
        return () -> Health.up()
                .withDetail("provider", PostQuantum.current().name())
                .withDetail("library", PostQuantum.current().description())
                .build();
    }

    @Bean
    MeterBinder postQuantumMeter() {
        return registry -> Gauge.builder(
                        "veilgate.native.liboqs", () -> PostQuantum.current() == PostQuantum.platform() ? 0 : 1)
                .description("1 if liboqs computes the post-quantum algorithms, 0 if Java does")
                .register(registry);
    }

    @Bean
    MeterBinder ingestMeters(IngestStatus status) {
        return registry -> {
            Gauge.builder("veilgate.backlog", status, IngestStatus::backlogBytes)
                    .baseUnit("bytes")
                    .description("Taken, and not in store and database yet")
                    .register(registry);
            Gauge.builder("veilgate.set.aside", status, IngestStatus::setAside)
                    .description("Entries that were taken and cannot be applied by this version")
                    .register(registry);
            FunctionCounter.builder("veilgate.database.behind", status, IngestStatus::timesBehind)
                    .description("How often the database was older than it had been, and got again what it lacked")
                    .register(registry);
            Gauge.builder("veilgate.journal", status, IngestStatus::journalBytes)
                    .baseUnit("bytes")
                    .description("The journal's size on the disk")
                    .register(registry);
            Gauge.builder("veilgate.disk.free", status, IngestStatus::freeBytes)
                    .baseUnit("bytes")
                    .description("Free where the data is")
                    .register(registry);
        };
    }
}
