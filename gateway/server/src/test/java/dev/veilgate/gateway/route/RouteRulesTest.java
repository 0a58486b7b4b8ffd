package dev.veilgate.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.gateway.TestTenant;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.database.TestDatabase;
import dev.veilgate.gateway.store.Arrivals;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** By which rules of keywords routes were issued. */
class RouteRulesTest {
    private static final TestTenant ACME = TestTenant.of("ruled");
    private static final Clock CLOCK = Clock.systemUTC();

    private final Database database = TestDatabase.create();
    private final RouteStore routes = new RouteStore(database, Arrivals.SCHEMES, CLOCK);

    private Route install(String name, List<Integer> rules) throws Exception {
        SearchRequest search = SearchRequest.allOf("ruled", List.of(ACME.term(TestTenant.SCOPE, CLOCK, "urgent")));
        PreparedSearch prepared = PreparedSearch.of(search, Arrivals.SCHEMES);
        return routes.put(name, prepared, new RouteAction(RouteAction.Kind.TOPIC, "alerts"), rules, "", 5);
    }

    private static void use(@Nullable Epoch from) {
        NextProfile next = from == null ? null : new NextProfile(new byte[] {2}, from, null);
        ACME.keys().setProfiles(ACME.keys().profiles().withNext(next));
    }

    @Test
    void aRouteOfRules1IsFormerWhereItsEpochsHaveLaterRules() throws Exception {
        Route first = install("first", List.of(1));
        Route both = install("both", List.of(1, 2));
        Epoch present = EpochPolicy.MONTHLY.at(Instant.now());
        use(null);
        assertThat(RouteRules.isFormer(first, ACME.tenant())).isFalse();
        use(present);
        assertThat(RouteRules.isFormer(first, ACME.tenant())).isTrue();
        assertThat(RouteRules.isFormer(both, ACME.tenant())).isFalse();
        assertThat(RouteEnd.warnings(first, ACME.tenant(), Instant.now())).anyMatch(each -> each.contains("rules 1"));
        assertThat(RouteEnd.warnings(both, ACME.tenant(), Instant.now())).noneMatch(each -> each.contains("rules 1"));
        use(EpochPolicy.MONTHLY.at(present.to()));
        assertThat(RouteRules.isFormer(first, ACME.tenant()))
                .as("later rules are used when its epochs are over")
                .isFalse();
    }

    @Test
    void theRulesOfARouteAreKept() throws Exception {
        install("first", List.of(1));
        install("both", List.of(1, 2));
        RouteStore another = new RouteStore(database, Arrivals.SCHEMES, CLOCK);
        assertThat(another.find("ruled", "both").orElseThrow().rules()).containsExactly(1, 2);
        assertThat(another.find("ruled", "first").orElseThrow().rules()).containsExactly(1);
        install("first", List.of(1, 2));
        assertThat(another.find("ruled", "first").orElseThrow().rules())
                .as("issued again")
                .containsExactly(1, 2);
    }

    @Test
    void aRouteOfWhichNobodySaysTheRulesIsOfRules1() throws Exception {
        install("old", List.of(1, 2));
        database.jdbc().sql("UPDATE route SET rules = NULL WHERE name = 'old'").update();
        RouteStore another = new RouteStore(database, Arrivals.SCHEMES, CLOCK);
        assertThat(another.find("ruled", "old").orElseThrow().rules()).containsExactly(1);
    }
}
