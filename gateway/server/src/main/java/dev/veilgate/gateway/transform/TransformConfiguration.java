package dev.veilgate.gateway.transform;

import dev.veilgate.gateway.http.VisibleEnvelopes;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class TransformConfiguration {
    @Bean
    Transforms transforms(VisibleEnvelopes envelopes, TransformSettings settings, MeterRegistry metrics) {
        return new Transforms(envelopes, settings, metrics);
    }
}
