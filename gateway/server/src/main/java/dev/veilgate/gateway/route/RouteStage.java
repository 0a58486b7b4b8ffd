package dev.veilgate.gateway.route;

import dev.veilgate.gateway.ingest.Applied;
import dev.veilgate.gateway.ingest.ArrivalStage;
import dev.veilgate.gateway.ingest.OutdatedBlocks;
import dev.veilgate.gateway.store.Arrival;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Tests every arrival against the routes that are installed when it is applied, and notes what is to be done. */
@Component
@Order(2)
final class RouteStage implements ArrivalStage {
    private static final Logger LOG = LoggerFactory.getLogger(RouteStage.class);

    private final RouteStore routes;
    private final ActionQueue actions;
    private final OutdatedBlocks outdated;
    private final Timer timer;

    RouteStage(RouteStore routes, ActionQueue actions, OutdatedBlocks outdated, MeterRegistry metrics) {
        this.routes = routes;
        this.outdated = outdated;
        this.actions = actions;
        this.timer = Timer.builder("veilgate.route.test")
                .description("Test of an arrival against all routes")
                .register(metrics);
    }

    @Override
    public void apply(List<Applied> batch) {
        RouteTable table = routes.table();
        if (table.routes().isEmpty()) {
            return;
        }
        boolean added = false;
        for (Applied applied : batch) {
            if (applied.arrival().isPresent()) {
                Arrival arrival = applied.arrival().get();
                for (RouteTable.Match match : match(table, arrival)) {
                    added |= actions.add(match, arrival);
                }
            }
        }
        if (added) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    actions.wake();
                }
            });
        }
    }

    /** An arrival on which Test itself fails must not keep everything behind it from being stored. */
    private List<RouteTable.Match> match(RouteTable table, Arrival arrival) {
        try {
            return timer.record(() -> table.match(outdated.forRoutes(arrival)));
        } catch (RuntimeException e) {
            LOG.error(
                    "envelope {} could not be tested against routes",
                    arrival.envelope().id(),
                    e);
            return List.of();
        }
    }
}
