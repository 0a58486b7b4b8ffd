package dev.veilgate.console.status;

import static dev.veilgate.console.TestConsole.login;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.application.TestClock;
import dev.veilgate.console.ConsoleTest;
import java.time.Duration;
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

    private ResultActions look() throws Exception {
        return http.perform(get("/api/status").with(login("oli", "operator"))).andExpect(status().isOk());
    }

    @Test
    void figuresHaveUnitsAndRatesComeWithTheSecondLook() throws Exception {
        look().andExpect(jsonPath("$.reachable").value(true))
                .andExpect(jsonPath("$.version").value("0.1.0"))
                .andExpect(jsonPath("$.figures[?(@.name == 'envelopes')].value").value(7.0))
                .andExpect(jsonPath("$.figures[?(@.name == 'free')].unit").value("bytes"));
        clock.advance(Duration.ofSeconds(10));
        look().andExpect(jsonPath("$.figures[?(@.name == 'arriving')].value").value(0.0))
                .andExpect(jsonPath("$.figures[?(@.name == 'arriving')].unit").value("per-second"));
    }
}
