package dev.veilgate.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.TestClock;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.peks.RecordSet;
import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Expression;
import dev.veilgate.query.Filter;
import dev.veilgate.query.IndexAdmission;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RouteTableLawsTest {
    private static final TestTenant ACME = TestTenant.of("acme");
    private static final TestTenant GLOBEX = TestTenant.of("globex");
    private static final TestClock CLOCK = new TestClock();
    private static final int WORDS = 12;

    private final Map<String, List<ScopedTrapdoor>> issued = new HashMap<>();

    @Test
    void findsWhatEachSearchFindsByItself() throws Exception {
        long seed = Long.getLong("veilgate.seed", 1);
        Random random = new Random(seed);
        List<Route> routes = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            routes.add(route("route-" + i, search(random)));
        }
        RouteTable table = new RouteTable(routes);
        int found = 0;
        for (int i = 0; i < 12; i++) {
            TestTenant tenant = random.nextInt(4) == 0 ? GLOBEX : ACME;
            String scope = random.nextInt(3) == 0 ? "plant-8" : TestTenant.SCOPE;
            String[] lines = IntStream.range(0, 1 + random.nextInt(5))
                    .mapToObj(line -> word(random) + " " + word(random) + " " + word(random))
                    .toArray(String[]::new);
            Arrival arrival = Arrivals.of(
                    tenant.sender("press-" + (1 + random.nextInt(4)), CLOCK)
                            .sealFor(scope, lines)
                            .bytes(),
                    CLOCK.instant());
            Map<Route, RecordSet> expected = new HashMap<>();
            for (Route route : routes) {
                RecordSet records = route.search()
                        .match(arrival.envelope(), IndexAdmission.trust(arrival.envelope(), Arrivals.SCHEMES));
                if (!records.isEmpty()) {
                    expected.put(route, records);
                }
            }
            Map<Route, RecordSet> matches = new HashMap<>();
            table.match(arrival).forEach(match -> matches.put(match.route(), match.records()));
            assertThat(matches).as("seed %d", seed).isEqualTo(expected);
            found += matches.size();
        }
        assertThat(found).as("seed %d", seed).isPositive();
    }

    @Test
    void findsNothingAfterTheGrantExpired() throws Exception {
        SearchRequest search = SearchRequest.allOf("acme", List.of(term(ACME, TestTenant.SCOPE, "w1")));
        SearchRequest granted = ACME.keys()
                .granted(
                        search, "ada", CLOCK.instant().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS));
        RouteTable table = new RouteTable(List.of(route("granted", granted)));
        byte[] envelope = ACME.sender("press-1", CLOCK).seal("w1").bytes();
        assertThat(table.match(Arrivals.of(envelope, CLOCK.instant()))).hasSize(1);
        assertThat(table.match(Arrivals.of(envelope, CLOCK.instant().plus(Duration.ofHours(1)))))
                .isEmpty();
    }

    private SearchRequest search(Random random) {
        TestTenant tenant = random.nextInt(4) == 0 ? GLOBEX : ACME;
        int terms = 1 + random.nextInt(3);
        List<List<ScopedTrapdoor>> all = new ArrayList<>();
        for (int i = 0; i < terms; i++) {
            List<ScopedTrapdoor> term = new ArrayList<>(term(tenant, TestTenant.SCOPE, word(random)));
            if (random.nextBoolean()) {
                term.addAll(term(tenant, "plant-8", word(random)));
            }
            all.add(term);
        }
        Expression expression = Expression.allOf(terms);
        if (terms > 1 && random.nextInt(3) == 0) {
            expression = new Expression.Or(IntStream.range(0, terms)
                    .mapToObj(i -> (Expression) new Expression.Term(i))
                    .toList());
        } else if (terms == 2 && random.nextBoolean()) {
            expression =
                    new Expression.And(List.of(new Expression.Term(0), new Expression.Not(new Expression.Term(1))));
        }
        Filter filter = random.nextInt(3) == 0
                ? new Filter(Optional.empty(), Optional.empty(), Set.of("press-1", "press-2"))
                : Filter.NONE;
        return new SearchRequest(tenant.keys().tenant(), all, expression, filter, Optional.empty());
    }

    private List<ScopedTrapdoor> term(TestTenant tenant, String scope, String word) {
        return issued.computeIfAbsent(
                tenant.keys().tenant() + "/" + scope + "/" + word, key -> tenant.term(scope, CLOCK, word));
    }

    private static String word(Random random) {
        return "w" + random.nextInt(WORDS);
    }

    static Route route(String name, SearchRequest search) throws Exception {
        return new Route(
                UUID.randomUUID(),
                1,
                name,
                PreparedSearch.of(search, Arrivals.SCHEMES),
                new RouteAction(RouteAction.Kind.TOPIC, "alerts/" + name),
                "",
                CLOCK.instant(),
                Route.FIRST_RULES);
    }
}
