package dev.veilgate.console.status;

import static dev.veilgate.console.TestConsole.login;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.application.TestClock;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.StubGateway;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.peks.Keyword;
import dev.veilgate.pq.PostQuantum;
import dev.veilgate.query.Expression;
import dev.veilgate.query.SearchRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

@ConsoleTest
class StatusTest {
    @Autowired
    private MockMvc http;

    @Autowired
    private TestClock clock;

    @Autowired
    private Custody custody;

    private ResultActions look() throws Exception {
        return http.perform(get("/api/status").with(login("oli", "operator"))).andExpect(status().isOk());
    }

    @Test
    void whatWaitsIsOfAllRoutes() throws Exception {
        List<List<Keyword>> terms = List.of(List.of(Keyword.text("word", "status")));
        SearchRequest request = custody.issue(
                (keys, store) -> keys.request("plant-7", List.of("2026-11"), terms, new Expression.Term(0), store));
        List<String> names = List.of("status-1", "status-2");
        names.forEach(name -> StubGateway.ROUTES.put(name, request));
        double routes = StubGateway.ROUTES.size(); // those of other tests, too
        try {
            look().andExpect(jsonPath("$.figures[?(@.name == 'routes')].value").value(routes))
                    .andExpect(
                            jsonPath("$.figures[?(@.name == 'waiting')].value").value(2 * routes))
                    .andExpect(
                            jsonPath("$.figures[?(@.name == 'given-up')].value").value(3 * routes))
                    .andExpect(
                            jsonPath("$.figures[?(@.name == 'backlog')].value").value(4096.0))
                    .andExpect(
                            jsonPath("$.figures[?(@.name == 'backlog')].unit").value("bytes"));
        } finally {
            names.forEach(StubGateway.ROUTES::remove);
        }
    }

    @Test
    void figuresHaveUnitsAndRatesComeWithTheSecondLook() throws Exception {
        look().andExpect(jsonPath("$.reachable").value(true))
                .andExpect(jsonPath("$.version").value("0.1.0"))
                .andExpect(jsonPath("$.postQuantum.console")
                        .value(PostQuantum.current().description()))
                .andExpect(jsonPath("$.postQuantum.gateway").value("liboqs 0.13.0"))
                .andExpect(jsonPath("$.figures[?(@.name == 'envelopes')].value").value(7.0))
                .andExpect(jsonPath("$.figures[?(@.name == 'free')].unit").value("bytes"));
        clock.advance(Duration.ofSeconds(10));
        look().andExpect(jsonPath("$.figures[?(@.name == 'arriving')].value").value(0.0))
                .andExpect(jsonPath("$.figures[?(@.name == 'arriving')].unit").value("per-second"));
    }

    @Test
    void aGatewayOfBeforeKeepsNoFiguresAndThatIsNoFault() throws Exception {
        series("hour")
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.kept").value(false))
                .andExpect(jsonPath("$.points").isEmpty());
        look().andExpect(jsonPath("$.notKnown[?(@ == 'figures')]").isNotEmpty())
                .andExpect(jsonPath("$.notKnown[?(@ == 'machine')]").isNotEmpty())
                .andExpect(jsonPath("$.problems[?(@.kind == 'disk-low')].count").value(1000));
    }

    private ResultActions series(String span) throws Exception {
        return http.perform(get("/api/status/figures?span=" + span).with(login("oli", "operator")));
    }

    @Test
    void figuresAreThoseOfTheGateway() throws Exception {
        StubGateway.FIGURES.set("""
                {"step": "minute", "stepMinutes": 1, "from": "2026-11-22T09:01:00Z", "to": "2026-11-22T10:01:00Z",
                 "points": [{"begins": "2026-11-22T09:30:00Z", "minutes": 1, "lines": 12, "mails": 1, "searches": 0,
                             "delivered": 0, "failed": 4, "envelopes": 7, "more": "of a later version"}]}""");
        try {
            series("hour")
                    .andExpect(jsonPath("$.kept").value(true))
                    .andExpect(jsonPath("$.points[0].lines").value(12))
                    .andExpect(jsonPath("$.points[0].envelopes").value(7))
                    .andExpect(jsonPath("$.points[0].waiting").doesNotExist());
            look().andExpect(jsonPath("$.problems[?(@.kind == 'deliveries-failing')].count")
                    .value(4));
            series("year").andExpect(status().isBadRequest());
            StubGateway.FIGURES.set("{\"step\": \"minute\"}");
            series("hour").andExpect(status().isBadGateway());
            look().andExpect(jsonPath("$.reachable").value(true))
                    .andExpect(jsonPath("$.notKnown[?(@ == 'figures')]").isNotEmpty());
        } finally {
            StubGateway.FIGURES.set(null);
        }
    }

    @Test
    void lockedKeysAreAProblemAndNothingElseIsKnown() throws Exception {
        custody.lock();
        try {
            look().andExpect(jsonPath("$.reachable").value(false))
                    .andExpect(jsonPath("$.problems[0].kind").value("keys-locked"))
                    .andExpect(jsonPath("$.notKnown.length()").value(Problem.Source.values().length));
        } finally {
            custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        }
    }
}
