package dev.veilgate.console.identity;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.application.TestClock;
import dev.veilgate.console.ConsoleTest;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
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

    /** One that began when the test says. */
    private static final class Session extends MockHttpSession {
        private Instant created;

        Session(Instant created) {
            this.created = created;
        }

        @Override
        public long getCreationTime() {
            return created.toEpochMilli();
        }
    }

    private ResultActions ask(MockHttpSession session) throws Exception {
        return http.perform(get("/api/session").session(session));
    }

    @Test
    void oneThatIsUsedAllTheTimeEndsAtLast() throws Exception {
        Session session = new Session(clock.instant());
        http.perform(get("/api/session").session(session).with(login("sessions", "auditor")))
                .andExpect(status().isOk());
        ask(session).andExpect(jsonPath("$.user").value("sessions"));
        session.created = clock.instant().minus(LONGEST);
        ask(session).andExpect(status().isOk());
        session.created = clock.instant().minus(LONGEST).minusMillis(1);
        ask(session)
                .andExpect(status().isUnauthorized())
                .andExpect(jsonPath("$.type").value("urn:veilgate:problem:session"));
        assertThat(session.isInvalid()).isTrue();
    }
}
