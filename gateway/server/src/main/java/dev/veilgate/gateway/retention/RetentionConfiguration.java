package dev.veilgate.gateway.retention;

import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.settings.GatewayId;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.peks.IndexSchemes;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
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
    StoreRecheck storeRecheck(GatewaySettings gateway, EnvelopeStore store, IndexSchemes schemes, Retention retention)
            throws IOException {
        return new StoreRecheck(gateway.dataDir().resolve("forged"), store, schemes, retention);
    }

    @Bean
    MeterBinder storedChecksMeters(StoredChecks checks) {
        return registry -> {
            Gauge.builder("veilgate.recheck.checked", checks, StoredChecks::checked)
                    .description("Stored envelopes that were checked by the rules of this version since the start")
                    .register(registry);
            Gauge.builder("veilgate.recheck.all", checks, StoredChecks::of)
                    .description("Stored envelopes that were to be checked by the rules of this version")
                    .register(registry);
        };
    }

    @Bean
    RetentionSchedule retentionSchedule(Retention retention, StoreRecheck recheck, RetentionSettings settings) {
        return new RetentionSchedule(retention, recheck, settings);
    }

    /** Runs it on a thread of its own, since the first run over an old store takes long. */
    static final class RetentionSchedule implements AutoCloseable {
        private final Retention retention;
        private final StoreRecheck recheck;
        private final RetentionSettings settings;
        private volatile boolean stopped;
        private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("retention").factory());

        RetentionSchedule(Retention retention, StoreRecheck recheck, RetentionSettings settings) {
            this.retention = retention;
            this.recheck = recheck;
            this.settings = settings;
            thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        }

        @EventListener(ApplicationReadyEvent.class)
        void start() {
            thread.execute(this::recheck);
            if (!settings.rules().isEmpty()) {
                thread.scheduleWithFixedDelay(
                        this::run, 10_000, settings.every().toMillis(), TimeUnit.MILLISECONDS);
            }
        }

        private void recheck() {
            try {
                recheck.run(() -> stopped);
            } catch (IOException | RuntimeException e) {
                LOG.error("checking what is stored failed; it is tried again in a minute", e);
                if (!stopped) {
                    thread.schedule(this::recheck, 1, TimeUnit.MINUTES);
                }
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
            stopped = true;
            thread.close();
        }
    }
}
