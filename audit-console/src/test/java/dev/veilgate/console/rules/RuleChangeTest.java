package dev.veilgate.console.rules;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.query.Intent;
import dev.veilgate.console.rules.Decision.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** Rules are replaced as a whole, by whoever has seen the last ones, and hold at once. */
@ConsoleTest
class RuleChangeTest {
    @Autowired
    private RuleStore store;

    @Autowired
    private Authorizer authorizer;

    @Autowired
    private Custody custody;

    @Autowired
    private TestClock clock;

    @Autowired
    private MockMvc http;

    private List<Rule> before = List.of();

    @BeforeEach
    void remember() {
        before = store.rules().rules();
    }

    @AfterEach
    void putBack() {
        store.replace(new Rules(store.rules().version(), before), "test", rules -> {});
    }

    private ResultActions replace(long version, String rules) throws Exception {
        return http.perform(put("/api/rules")
                .with(login("kim", "keeper"))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"version\": " + version + ", \"rules\": [" + rules + "]}"));
    }

    @Test
    void holdAtOnceAndAreInTheLog() throws Exception {
        long version = store.rules().version();
        User ada = Asking.user("rules-ada", "", Role.AUDITOR);
        Intent intent = Asking.search("plant-7", "overheat", "2026-11");
        assertThat(authorizer.decide(ada, intent).outcome()).isEqualTo(Outcome.ALLOWED);
        replace(version, "{\"name\": \"closed\", \"effect\": \"refuse\"}")
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.version").value(version + 1))
                .andExpect(jsonPath("$.rules[0].name").value("closed"))
                .andExpect(jsonPath("$.rules[0].perHour").doesNotExist());
        assertThat(authorizer.decide(ada, intent).rule()).contains("closed");
        http.perform(get("/api/log?kind=rule-change&actor=kim&limit=1").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'name')].value")
                        .value("version " + (version + 1)));
    }

    @Test
    void anOlderVersionIsAConflict() throws Exception {
        replace(store.rules().version() - 1, "").andExpect(status().isConflict());
        assertThat(store.rules().rules()).isEqualTo(before);
    }

    @Test
    void whatIsWrongIsNamed() throws Exception {
        replace(store.rules().version(), "{\"name\": \"r\", \"effect\": \"allow\", \"perHour\": 0}")
                .andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.detail").value("rule \"r\": perHour is 1 to 1000000"));
        replace(store.rules().version(), "{\"name\": \"r\", \"effect\": \"allow\", \"scope\": [\"x\"]}")
                .andExpect(status().isBadRequest());
    }

    @Test
    void whoMayNotChangeThemDoesNotFillTheMemoryEither() throws Exception {
        http.perform(put("/api/rules")
                        .with(login("rules-ada", "auditor"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(new byte[(2 << 20) + 1]))
                .andExpect(status().isContentTooLarge())
                .andExpect(jsonPath("$.type").value("urn:veilgate:problem:too-long"));
    }

    @Test
    void withoutALogNothingChanges() throws Exception {
        custody.lock();
        try {
            replace(store.rules().version(), "").andExpect(status().isLocked());
        } finally {
            custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(store.rules().rules()).isEqualTo(before);
    }

    @Test
    void anHoursSearchesAreCounted() throws Exception {
        replace(store.rules().version(), "{\"name\": \"two\", \"effect\": \"allow\", \"perHour\": 2}")
                .andExpect(status().isOk());
        User ada = Asking.user("rules-counted", "", Role.AUDITOR);
        Intent intent = Asking.search("plant-7", "overheat", "2026-11");
        authorizer.authorise(ada, intent, "");
        clock.advance(Duration.ofMinutes(30));
        authorizer.decide(ada, intent);
        assertThat(authorizer.authorise(ada, intent, "").outcome()).isEqualTo(Outcome.ALLOWED);
        Decision third = authorizer.authorise(ada, intent, "");
        assertThat(third.outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(third.rule()).contains("two");
        assertThat(authorizer
                        .decide(Asking.user("rules-other", "", Role.AUDITOR), intent)
                        .outcome())
                .isEqualTo(Outcome.ALLOWED);
        clock.advance(Duration.ofMinutes(30));
        assertThat(authorizer.authorise(ada, intent, "").outcome()).isEqualTo(Outcome.ALLOWED);
        assertThat(authorizer.authorise(ada, intent, "").outcome()).isEqualTo(Outcome.REFUSED);
    }

    @Test
    void searchesAtTheSameTimeDoNotShareTheLastPlace() throws Exception {
        replace(store.rules().version(), "{\"name\": \"three\", \"effect\": \"allow\", \"perHour\": 3}");
        User ada = Asking.user("rules-crowd", "", Role.AUDITOR);
        Intent intent = Asking.search("plant-7", "overheat", "2026-11");
        List<Future<Outcome>> asked;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            asked = threads.invokeAll(Collections.nCopies(
                    12, () -> authorizer.authorise(ada, intent, "").outcome()));
        }
        assertThat(asked.stream().map(Future::resultNow))
                .filteredOn(Outcome.ALLOWED::equals)
                .hasSize(3);
    }

    @Test
    void anOldEpochIsBeyondARuleThatEndsBeforeIt() throws Exception {
        replace(store.rules().version(), "{\"name\": \"recent\", \"effect\": \"allow\", \"epochsBack\": 1}");
        User ada = Asking.user("rules-epochs", "", Role.AUDITOR);
        var present = EpochPolicy.MONTHLY.at(clock.instant());
        String last = EpochPolicy.MONTHLY.at(present.from().minusMillis(1)).name();
        assertThat(authorizer
                        .decide(ada, Asking.search("s", "w", last, present.name()))
                        .outcome())
                .isEqualTo(Outcome.ALLOWED);
        assertThat(authorizer
                        .decide(ada, Asking.search("s", "w", "2020-01", present.name()))
                        .outcome())
                .isEqualTo(Outcome.REFUSED);
    }
}
