package dev.veilgate.gateway.store;

import dev.veilgate.files.DurableFiles;
import dev.veilgate.gateway.settings.GatewaySettings;
import dev.veilgate.peks.IndexSchemes;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.FSDirectory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class StoreConfiguration {
    @Bean(destroyMethod = "close")
    LuceneEnvelopeStore envelopeStore(GatewaySettings gateway, StoreSettings settings, IndexSchemes schemes)
            throws IOException {
        Path folder = gateway.dataDir().resolve("store");
        DurableFiles.createFolder(folder);
        return new LuceneEnvelopeStore(
                FSDirectory.open(folder), schemes, settings.answers().toBytes(), settings.searchThreads());
    }

    @Bean
    HealthIndicator storeHealthIndicator(LuceneEnvelopeStore store) {
        return () -> store.trouble()
                .map(trouble -> Health.down().withDetail("trouble", trouble).build())
                .orElseGet(() -> Health.up().build());
    }
}
