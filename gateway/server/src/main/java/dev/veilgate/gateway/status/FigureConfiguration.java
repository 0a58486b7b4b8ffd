package dev.veilgate.gateway.status;

import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.figures.FigureCounts;
import dev.veilgate.gateway.figures.WaitingActions;
import dev.veilgate.gateway.ingest.IngestStatus;
import dev.veilgate.gateway.settings.GatewayId;
import dev.veilgate.gateway.status.FigureRecorder.Meter;
import dev.veilgate.gateway.store.EnvelopeStore;
import dev.veilgate.gateway.store.EnvelopeStore.Holdings;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;
import java.io.IOException;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

@Configuration(proxyBeanMethods = false)
class FigureConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(FigureConfiguration.class);

    @Bean
    FigureStore figureStore(Database database, GatewayId gateway) {
        return new FigureStore(database, gateway.value());
    }

    @Bean
    FigureSchedule figureSchedule(
            FigureCounts counts,
            FigureStore figures,
            EnvelopeStore store,
            WaitingActions actions,
            IngestStatus ingest,
            Tenants tenants,
            Clock clock) {
        Meter meter = () -> {
            Map<String, Holdings> held = measured(store::holdings);
            Map<String, Long> waiting = measured(actions::now);
            Map<String, Levels> levels = new HashMap<>();
            for (Tenant tenant : tenants.all()) {
                String name = tenant.name();
                levels.put(
                        name,
                        Levels.ofTenant(
                                held == null ? null : envelopes(held.get(name)),
                                waiting == null ? null : waiting.getOrDefault(name, 0L)));
            }
            levels.put(FigureStore.MACHINE, Levels.ofMachine(ingest.backlogBytes(), ingest.freeBytes()));
            return levels;
        };
        return new FigureSchedule(new FigureRecorder(counts, meter, figures, clock));
    }

    private static long envelopes(@Nullable Holdings held) {
        return held == null ? 0 : held.envelopes();
    }

    private static <T> @Nullable T measured(Callable<T> question) {
        try {
            return question.call();
        } catch (IOException | RuntimeException e) {
            LOG.debug("a figure is not measured: {}", e.getMessage());
            return null;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls the recorder on a thread of its own, and a last time at the stop. */
    static final class FigureSchedule implements AutoCloseable {
        private static final long TICK_SECONDS = 5;

        private final FigureRecorder recorder;
        private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("figures").factory());

        FigureSchedule(FigureRecorder recorder) {
            this.recorder = recorder;
            thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
            thread.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
        }

        @EventListener(ApplicationReadyEvent.class)
        void start() {
            thread.scheduleWithFixedDelay(this::tick, 0, TICK_SECONDS, TimeUnit.SECONDS);
        }

        private void tick() {
            try {
                recorder.tick();
            } catch (RuntimeException e) {
                LOG.error("figures are not written; it is tried again", e);
            }
        }

        @Override
        public void close() {
            thread.close();
            recorder.finish();
        }
    }
}
