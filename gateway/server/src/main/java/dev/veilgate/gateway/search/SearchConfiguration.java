package dev.veilgate.gateway.search;

import dev.veilgate.gateway.ingest.Visibility;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.gateway.store.EnvelopeStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import tools.jackson.databind.json.JsonMapper;

@Configuration(proxyBeanMethods = false)
class SearchConfiguration {
    private static final Duration PURGE_EVERY = Duration.ofSeconds(30);

    @Bean
    SearchJobs searchJobs(
            EnvelopeStore store,
            Visibility visibility,
            SearchSettings settings,
            GatewaySettings gateway,
            JsonMapper json,
            Clock clock,
            MeterRegistry metrics)
            throws IOException {
        return new SearchJobs(
                store,
                visibility,
                settings,
                gateway.dataDir().resolve("searches"),
                hit -> json.writeValueAsBytes(SearchJson.Hit.of(hit)),
                clock,
                metrics);
    }

    /** Ends searches, and so the streams of their hits, before the web server waits for its last requests. */
    @Bean
    SmartLifecycle searchLifecycle(SearchJobs jobs, TaskScheduler scheduler) {
        return new SmartLifecycle() {
            private volatile boolean running;

            @Override
            public void start() {
                scheduler.scheduleWithFixedDelay(jobs::purge, PURGE_EVERY);
                running = true;
            }

            @Override
            public void stop() {
                running = false;
                jobs.stop();
            }

            @Override
            public boolean isRunning() {
                return running;
            }
        };
    }
}
