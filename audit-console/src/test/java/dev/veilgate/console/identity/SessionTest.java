package dev.veilgate.console.identity;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.application.TestClock;
import dev.veilgate.console.ConsoleTest;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** How long the console takes a session for a login. */
@ConsoleTest
class SessionTest {
    private static final Duration LONGEST = Duration.ofHours(12); // unless veilgate.longest says otherwise

    @Autowired
    private MockMvc http;

    @Autowired
    private TestClock clock;

    private ResultActions ask(MockHttpSession session) throws Exception {
        return http.perform(get("/api/session").session(session));
    }

    @Test
    void oneThatIsUsedAllTheTimeEndsAtLast() throws Exception {
        MockHttpSession session = new MockHttpSession();
        http.perform(get("/api/session").session(session).with(login("sessions", "auditor")))
                .andExpect(status().isOk());
        for (Duration used = Duration.ZERO; used.compareTo(LONGEST) < 0; used = used.plusMinutes(20)) {
            clock.advance(Duration.ofMinutes(20));
            http.perform(post("/api/session/used").session(session).with(csrf()))
                    .andExpect(status().isOk());
        }
        ask(session).andExpect(jsonPath("$.user").value("sessions"));
        clock.advance(Duration.ofMillis(1));
        ask(session)
                .andExpect(status().isUnauthorized())
                .andExpect(jsonPath("$.type").value("urn:veilgate:problem:session"));
        assertThat(session.isInvalid()).isTrue();
    }

    @Test
    void askingIsNoUseAndSayingSoIs() throws Exception {
        MockHttpSession session = new MockHttpSession();
        http.perform(get("/api/session").session(session).with(login("idle", "auditor")))
                .andExpect(jsonPath("$.ends.seconds").value(1800))
                .andExpect(jsonPath("$.ends.atMost").value(LONGEST.toSeconds()));
        clock.advance(Duration.ofMinutes(20));
        ask(session).andExpect(jsonPath("$.ends.seconds").value(600));
        http.perform(get("/api/rules").session(session)).andExpect(status().isOk());
        http.perform(post("/api/session/used").session(session).with(csrf()))
                .andExpect(jsonPath("$.seconds").value(1800));
        clock.advance(Duration.ofMinutes(20));
        ask(session).andExpect(jsonPath("$.ends.seconds").value(600));
        clock.advance(Duration.ofMinutes(10).plusMillis(1));
        http.perform(post("/api/session/used").session(session).with(csrf())).andExpect(status().isUnauthorized());
        assertThat(session.isInvalid()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/searches/1",
                "/log",
                "/api/session",
                "/api/rules",
                "/api/searches",
                "/api/searches/x/rows/1/raw"
            })
    void nothingWithContentIsStoredByBrowsers(String path) throws Exception {
        http.perform(get(path).with(login("storing", "auditor")))
                .andExpect(header().string("Cache-Control", containsString("no-store")));
    }
}
