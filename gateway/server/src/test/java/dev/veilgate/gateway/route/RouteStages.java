package dev.veilgate.gateway.route;

import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.ingest.ArrivalStage;
import dev.veilgate.gateway.ingest.OutdatedBlocks;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The stage for tests of other packages. */
public final class RouteStages {
    private RouteStages() {}

    /** With a route that finds a word in {@link TestTenant#SCOPE}. */
    public static ArrivalStage finding(Database database, TestTenant tenant, String word) throws Exception {
        Clock clock = Clock.systemUTC();
        RouteStore routes = new RouteStore(database, Arrivals.SCHEMES, clock);
        SearchRequest search =
                SearchRequest.allOf(tenant.keys().tenant(), List.of(tenant.term(TestTenant.SCOPE, clock, word)));
        RouteAction action = new RouteAction(RouteAction.Kind.TOPIC, "found");
        routes.put("found", PreparedSearch.of(search, Arrivals.SCHEMES), action, Route.FIRST_RULES, "", 1);
        return new RouteStage(
                routes,
                new ActionQueue(database, (named, id) -> Optional.empty(), clock),
                new OutdatedBlocks(Instant.EPOCH, Optional.empty(), Instant.EPOCH, Arrivals.SCHEMES),
                new SimpleMeterRegistry());
    }

    /** Envelopes that it found. */
    public static List<UUID> found(Database database) {
        return new ActionQueue(database, (named, id) -> Optional.empty(), Clock.systemUTC())
                .take(10_000, List.of()).stream()
                        .map(taken -> taken.notice().envelope())
                        .toList();
    }

    /** What tells each of its actions from the others, for whoever is told. */
    public static List<String> deliveries(Database database) {
        return new ActionQueue(database, (named, id) -> Optional.empty(), Clock.systemUTC())
                .take(10_000, List.of()).stream()
                        .map(taken -> taken.notice().delivery())
                        .toList();
    }
}
