package dev.veilgate.gateway.memory;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Turns by the heap that Java has, what is measured of them, and what health says. */
@Configuration(proxyBeanMethods = false)
class MemoryConfiguration {
    @Bean
    HeapTurns heapTurns(LargeMailSettings settings, Clock clock, MeterRegistry meters) {
        HeapTurns turns = new HeapTurns(HeapTurns.of(Runtime.getRuntime().maxMemory()), settings.patience(), clock);
        Gauge.builder("veilgate.mail.large.waiting", turns, HeapTurns::waiting)
                .description("large mails that wait for memory")
                .register(meters);
        Gauge.builder("veilgate.mail.large.memory", turns, HeapTurns::taken)
                .description("memory that large mails under way have taken")
                .baseUnit("bytes")
                .register(meters);
        FunctionCounter.builder("veilgate.mail.large.refused", turns, HeapTurns::refused)
                .description("large mails that waited for memory in vain and were put off")
                .register(meters);
        return turns;
    }

    @Bean
    HealthIndicator largeMailsHealthIndicator(HeapTurns turns) {
        return () -> turns.trouble()
                .map(text -> Health.status(new Status("DEGRADED")).withDetail("memory", text))
                .orElseGet(Health::up)
                .build();
    }
}
