package dev.veilgate.console.routes;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.jayway.jsonpath.JsonPath;
import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.StubGateway;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.extract.ExtractorProfile;
import dev.veilgate.query.Grant;
import dev.veilgate.query.SearchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.OidcLoginRequestPostProcessor;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** A search becomes a route where the rules allow it, with an entry in the log for each trapdoor. */
@ConsoleTest
class RoutesTest {
    private static final OidcLoginRequestPostProcessor OLI = login("oli", "operator");

    @Autowired
    private Custody custody;

    @Autowired
    private TestClock clock;

    @Autowired
    private JdbcClient jdbc;

    @Autowired
    private MockMvc http;

    private ResultActions send(String path, String body, OidcLoginRequestPostProcessor as) throws Exception {
        return http.perform(post("/api/routes" + path)
                .with(as)
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content(body));
    }

    private static String route(String name, String query) {
        return ("{\"name\": \"%s\", \"query\": {\"query\": \"%s\", \"scope\": \"mailbox-alice\", \"from\": \"2020-01-01T00:00:00Z\"},"
                        + " \"action\": \"webhook\", \"target\": \"https://siem.example.org/\"}")
                .formatted(name, query);
    }

    @Test
    void anOperatorInstallsAndRemovesOne() throws Exception {
        send("", route("urgent-1", "urgent OR subject:urgent"), OLI)
                .andExpect(status().isCreated())
                .andExpect(jsonPath("$.scope").value("mailbox-alice"))
                .andExpect(jsonPath("$.epochs.length()").value(2))
                .andExpect(jsonPath("$.secret").value("vgw_secret"));
        SearchRequest installed = StubGateway.ROUTES.get("urgent-1");
        assertThat(installed.terms())
                .hasSize(2)
                .allSatisfy(term -> assertThat(term).hasSize(2));
        assertThat(installed.filter().from()).as("whatever arrives").isEmpty();
        Grant grant = installed.grant().orElseThrow();
        grant.verify(custody.use(keys -> keys.authority()), installed, clock.instant());
        assertThat(grant.expires()).isAfter(clock.instant().plus(Duration.ofDays(28)));
        http.perform(get("/api/routes").with(login("ada", "auditor")))
                .andExpect(jsonPath("$[?(@.name == 'urgent-1')].scope").value("mailbox-alice"))
                .andExpect(jsonPath("$[?(@.name == 'urgent-1')].matches").value(2 + 7 + 3))
                .andExpect(jsonPath("$[?(@.name == 'urgent-1')].lastMatch").value("2026-11-22T09:00:00Z"))
                .andExpect(jsonPath("$[?(@.name == 'urgent-1')].secret").isEmpty());
        String log = http.perform(get("/api/log?actor=oli&limit=7").with(login("kim", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsString();
        List<String> kinds = JsonPath.read(log, "$.entries[*].kind");
        assertThat(kinds)
                .containsExactly(
                        "grant", "route-change", "trapdoor", "trapdoor", "trapdoor", "trapdoor", "allowed-by-rule");
        send("/remove", "{\"name\": \"urgent-1\"}", OLI).andExpect(status().isNoContent());
        assertThat(StubGateway.ROUTES).doesNotContainKey("urgent-1");
        send("/remove", "{\"name\": \"urgent-1\"}", OLI).andExpect(status().isNotFound());
    }

    @Test
    void operatorsAndApproversAreToldWhatItLooksForAndOthersAreNot() throws Exception {
        send("", route("told", "disk level:erorr").replace("mailbox-alice", "plant-7"), OLI)
                .andExpect(status().isCreated());
        String of = "$[?(@.name == 'told')]";
        for (String role : List.of("operator", "approver")) {
            http.perform(get("/api/routes").with(login("told", role)))
                    .andExpect(jsonPath(of + ".query").value("disk level:erorr"))
                    .andExpect(jsonPath(of + ".understood.terms[0].text").value("disk"))
                    .andExpect(
                            jsonPath(of + ".understood.notes[0]").value(hasItem(containsString("nearest is error"))));
        }
        for (String role : List.of("auditor", "keeper")) {
            http.perform(get("/api/routes").with(login("untold", role)))
                    .andExpect(jsonPath(of + ".renewable").value(true))
                    .andExpect(jsonPath(of + ".query").isEmpty())
                    .andExpect(jsonPath(of + ".understood").isEmpty());
        }
        send("/remove", "{\"name\": \"told\"}", OLI).andExpect(status().isNoContent());
    }

    @Test
    void whatTheLogHasSealedNoListShows() throws Exception {
        send("", route("sealed", "urgent subject:urgent"), OLI).andExpect(status().isCreated());
        for (String role : List.of("operator", "approver")) {
            http.perform(get("/api/routes").with(login("told", role)))
                    .andExpect(jsonPath("$[?(@.name == 'sealed')].renewable").value(true))
                    .andExpect(jsonPath("$[?(@.name == 'sealed')].query").isEmpty())
                    .andExpect(jsonPath("$[?(@.name == 'sealed')].understood").isEmpty());
        }
        send("/remove", "{\"name\": \"sealed\"}", OLI).andExpect(status().isNoContent());
    }

    @Test
    void whomNoAttributesNameIsRefusedAndNothingIsIssued() throws Exception {
        send("", route("urgent-2", "urgent"), login("routes-eve", "auditor")).andExpect(status().isForbidden());
        assertThat(StubGateway.ROUTES).doesNotContainKey("urgent-2");
        http.perform(get("/api/log?actor=routes-eve").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries.length()").value(1))
                .andExpect(jsonPath("$.entries[0].kind").value("refused"))
                .andExpect(jsonPath("$.entries[0].sealed").value(true));
        String log = http.perform(get("/api/log?actor=routes-eve").with(login("kim", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsString();
        Integer number = JsonPath.read(log, "$.entries[0].number");
        http.perform(post("/api/log/" + number + "/details")
                        .with(login("ben", "approver"))
                        .with(csrf()))
                .andExpect(jsonPath("$[?(@.name == 'query')].value").value("urgent"))
                .andExpect(jsonPath("$[?(@.name == 'understood')].value").value("word:urgent"));
    }

    @Test
    void anAuditorsTakesASecondPersonWhoSeesWhatItDoes() throws Exception {
        OidcLoginRequestPostProcessor ada = login("routes-ada", List.of("auditor"), List.of("role:auditor"));
        String asked = send("", route("urgent-3", "urgent"), ada)
                .andExpect(status().isAccepted())
                .andExpect(jsonPath("$.purpose").value("route"))
                .andExpect(jsonPath("$.mail").value(false))
                .andExpect(jsonPath("$.route.name").value("urgent-3"))
                .andExpect(jsonPath("$.route.action").value("webhook"))
                .andExpect(jsonPath("$.route.target").value("https://siem.example.org/"))
                .andReturn()
                .getResponse()
                .getContentAsString();
        assertThat(StubGateway.ROUTES).doesNotContainKey("urgent-3");
        String id = JsonPath.read(asked, "$.id");
        http.perform(post("/api/approvals/" + id + "/approve")
                        .with(login("ben", "approver"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"reason\": \"seen\"}"))
                .andExpect(status().isOk());
        String elsewhere = route("urgent-3", "urgent").replace("siem.example.org", "other.example.org");
        send("", elsewhere, ada).andExpect(status().isAccepted());
        assertThat(StubGateway.ROUTES).as("approved for another target").doesNotContainKey("urgent-3");
        send("", route("urgent-3", "urgent"), ada).andExpect(status().isCreated());
        assertThat(StubGateway.ROUTES).containsKey("urgent-3");
    }

    @Test
    void onlyAnOperatorTakesTheNameOfOneThatIsThere() throws Exception {
        send("", route("urgent-4", "urgent"), OLI).andExpect(status().isCreated());
        SearchRequest installed = StubGateway.ROUTES.get("urgent-4");
        OidcLoginRequestPostProcessor ada = login("taking-ada", List.of("auditor"), List.of("role:auditor"));
        send("", route("urgent-4", "mine"), ada).andExpect(status().isConflict());
        assertThat(StubGateway.ROUTES.get("urgent-4")).isSameAs(installed);
        http.perform(get("/api/log?actor=taking-ada").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries").isEmpty());
        send("", route("urgent-4", "urgent OR subject:urgent"), OLI).andExpect(status().isCreated());
        assertThat(StubGateway.ROUTES.get("urgent-4")).isNotSameAs(installed);
        http.perform(get("/api/log?actor=oli&kind=route-change&limit=1").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'action')].value")
                        .value("replaced"));
    }

    private ResultActions listed() throws Exception {
        return http.perform(get("/api/routes").with(login("ada", "auditor"))).andExpect(status().isOk());
    }

    private void use(Optional<NextProfile> next) throws Exception {
        custody.change(keys -> {
            keys.setProfiles(keys.profiles().withNext(next.orElse(null)));
            return true;
        });
        StubGateway.LATER_RULES.set(next.isPresent());
    }

    @Test
    void aRouteOfFormerRulesIsIssuedAgainAsItWas() throws Exception {
        send("", route("urgent-5", "urgent"), OLI).andExpect(status().isCreated());
        SearchRequest before = StubGateway.ROUTES.get("urgent-5");
        String rules = "$[?(@.name == 'urgent-5')].rules[*]";
        String former = "$[?(@.name == 'urgent-5')].former";
        listed().andExpect(jsonPath(rules).value(1)).andExpect(jsonPath(former).value(false));
        use(Optional.of(new NextProfile(
                ExtractorProfile.defaults().withRules(2).encode(), EpochPolicy.MONTHLY.at(clock.instant()), null)));
        try {
            listed().andExpect(jsonPath(former).value(true));
            send("/renew", "{\"name\": \"urgent-5\"}", login("ada", "auditor")).andExpect(status().isForbidden());
            send("/renew", "{\"name\": \"urgent-5\", \"reason\": \"new rules\"}", OLI)
                    .andExpect(status().isCreated())
                    .andExpect(jsonPath("$.former").value(false))
                    .andExpect(jsonPath("$.epochs.length()").value(2));
            assertThat(StubGateway.ROUTE_RULES.get("urgent-5")).containsExactly(1, 2);
            SearchRequest again = StubGateway.ROUTES.get("urgent-5");
            assertThat(again).isNotSameAs(before);
            assertThat(again.digests()).as("what both rules read alike").isEqualTo(before.digests());
            String log = http.perform(get("/api/log?actor=oli&limit=5").with(login("kim", "keeper")))
                    .andReturn()
                    .getResponse()
                    .getContentAsString();
            assertThat(JsonPath.<List<String>>read(log, "$.entries[*].kind"))
                    .containsExactly("grant", "route-change", "trapdoor", "trapdoor", "allowed-by-rule");
            assertThat(log).contains("new rules", "replaced");
        } finally {
            use(Optional.empty());
        }
    }

    @Test
    void aRouteWhoseQueryIsNotKnownHereIsIssuedByHand() throws Exception {
        send("", route("urgent-6", "urgent"), OLI).andExpect(status().isCreated());
        String renewable = "$[?(@.name == 'urgent-6')].renewable";
        listed().andExpect(jsonPath(renewable).value(true));
        jdbc.sql("UPDATE installed_route SET asked = NULL WHERE name = 'urgent-6'")
                .update(); // as the software of before left it
        listed().andExpect(jsonPath(renewable).value(false));
        send("/renew", "{\"name\": \"urgent-6\"}", OLI).andExpect(status().isConflict());
        send("/renew", "{\"name\": \"absent\"}", OLI).andExpect(status().isNotFound());
        String elsewhere = route("urgent-6", "urgent").replace("siem.example.org", "other.example.org");
        send("", elsewhere, OLI).andExpect(status().isCreated());
        StubGateway.act("urgent-6", "topic", "alarms"); // by a command
        listed().andExpect(jsonPath(renewable).value(false));
        send("/renew", "{\"name\": \"urgent-6\"}", OLI).andExpect(status().isConflict());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"name\": \"../x\", \"query\": {\"query\": \"a\", \"scope\": \"s\"}, \"action\": \"topic\", \"target\": \"t\"}",
                "{\"name\": \"x\", \"query\": {\"query\": \"a\", \"scope\": \"s\"}, \"action\": \"mail\", \"target\": \"t\"}",
                "{\"name\": \"x\", \"query\": {\"query\": \"(\", \"scope\": \"s\"}, \"action\": \"topic\", \"target\": \"t\"}",
                "{\"name\": \"x\", \"query\": {\"query\": \"a\"}, \"action\": \"topic\", \"target\": \"t\"}",
                "{\"name\": \"x\", \"query\": {\"query\": \"a\", \"scope\": \"s\"}, \"action\": \"topic\", \"target\": \"t\", \"epochs\": 25}",
            })
    void whatIsNoRouteIsMalformed(String body) throws Exception {
        send("", body, OLI).andExpect(status().isBadRequest());
    }
}
