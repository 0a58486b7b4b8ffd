package dev.veilgate.gateway.retention;

import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.settings.GatewayId;
import dev.veilgate.gateway.store.EnvelopeStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

@Configuration(proxyBeanMethods = false)
class RetentionConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(RetentionConfiguration.class);

    @Bean
    RetentionLedger retentionLedger(Database database, GatewayId gateway) {
        return new RetentionLedger(database, gateway);
    }

    @Bean
    Retention retention(
            EnvelopeStore store,
            RetentionLedger ledger,
            RetentionSettings settings,
            Clock clock,
            MeterRegistry metrics) {
        return new Retention(store, ledger, settings, clock, metrics);
    }

    @Bean
    RetentionSchedule retentionSchedule(Retention retention, RetentionSettings settings) {
        return new RetentionSchedule(retention, settings);
    }

    /** Runs it on a thread of its own, since the first run over an old store takes long. */
    static final class RetentionSchedule implements AutoCloseable {
        private final Retention retention;
        private final RetentionSettings settings;
        private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("retention").factory());

        RetentionSchedule(Retention retention, RetentionSettings settings) {
            this.retention = retention;
            this.settings = settings;
            thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        }

        @EventListener(ApplicationReadyEvent.class)
        void start() {
            if (!settings.rules().isEmpty()) {
                thread.scheduleWithFixedDelay(
                        this::run, 10_000, settings.every().toMillis(), TimeUnit.MILLISECONDS);
            }
        }

        private void run() {
            try {
                retention.run();
            } catch (IOException | RuntimeException e) {
                LOG.error("retention failed; the next run tries again", e);
            }
        }

        @Override
        public void close() {
            thread.close();
        }
    }
}
