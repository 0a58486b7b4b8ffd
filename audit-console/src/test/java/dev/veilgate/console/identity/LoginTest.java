package dev.veilgate.console.identity;

import static dev.veilgate.console.TestConsole.login;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.startsWith;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.redirectedUrl;

import dev.veilgate.application.TestClock;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** The embedded provider's page, and what the issuing log has of logins. */
@ConsoleTest
class LoginTest {
    @Autowired
    private MockMvc http;

    @Autowired
    private TestClock clock;

    @Autowired
    private Custody custody;

    @Autowired
    private ApplicationEventPublisher events;

    private ResultActions type(String name, String password, String address) throws Exception {
        return http.perform(post("/provider/login")
                .with(csrf())
                .with(request -> {
                    request.setRemoteAddr(address);
                    return request;
                })
                .param("username", name)
                .param("password", password));
    }

    private ResultActions log(String actor) throws Exception {
        return http.perform(get("/api/log?actor=" + actor).with(login("kim", "keeper")));
    }

    @Test
    void whoGuessesIsSlowedDownAndTheLogSaysSo() throws Exception {
        for (int i = 0; i <= LoginAttempts.FREE_OF_NAME; i++) {
            type("eve", "guess", "192.0.2." + i).andExpect(redirectedUrl("/provider/login?wrong"));
        }
        type("eve", LoginSettings.DEMO_PASSWORD, "192.0.2.77")
                .andExpect(header().string("Location", startsWith("/provider/login?wait=")));
        http.perform(get("/provider/login?wait=3"))
                .andExpect(content().string(containsString("too many wrong passwords for this name")))
                .andExpect(content().string(containsString("Wait 3 seconds")));
        type("oli", LoginSettings.DEMO_PASSWORD, "192.0.2.77")
                .andExpect(header().string("Location", not(containsString("login"))));
        clock.advance(Duration.ofSeconds(2));
        type("eve", LoginSettings.DEMO_PASSWORD, "192.0.2.77")
                .andExpect(header().string("Location", not(containsString("login"))));
        log("eve")
                .andExpect(jsonPath("$.entries[0].kind").value("login-refused"))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'address')].value")
                        .value("192.0.2.5"))
                .andExpect(jsonPath("$.entries.length()").value(1));
    }

    @Test
    void whoLogsOutIsInTheLog() throws Exception {
        String user = "out-" + UUID.randomUUID();
        http.perform(post("/logout").with(login(user, "auditor")).with(csrf()));
        log(user).andExpect(jsonPath("$.entries[0].kind").value("logout"));
    }

    @Test
    void aLoginWhileTheKeysAreLockedIsWrittenWhenTheyAreOpened() throws Exception {
        String user = "in-" + UUID.randomUUID();
        custody.lock();
        try {
            events.publishEvent(new LoginEvent(LoginEvent.Kind.IN, user, "192.0.2.1", "keeper"));
        } finally {
            custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        }
        log(user)
                .andExpect(jsonPath("$.entries[0].kind").value("login"))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'roles')].value")
                        .value("keeper"))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'at')].value")
                        .isNotEmpty())
                .andExpect(jsonPath("$.entries.length()").value(1));
    }
}
