package dev.veilgate.gateway.route;

import dev.veilgate.gateway.figures.WaitingActions;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
class RouteConfiguration {
    @Bean
    WaitingActions waitingActions(ActionQueue actions) {
        return actions::waitingByTenant;
    }

    @Bean
    MeterBinder routeMeters(RouteStore routes, ActionQueue actions) {
        return registry -> {
            Gauge.builder(
                            "veilgate.routes",
                            routes,
                            store -> store.table().routes().size())
                    .description("Installed routes")
                    .register(registry);
            Gauge.builder("veilgate.route.actions.waiting", actions, ActionQueue::waiting)
                    .description("Actions of routes that are not done yet")
                    .register(registry);
        };
    }
}
