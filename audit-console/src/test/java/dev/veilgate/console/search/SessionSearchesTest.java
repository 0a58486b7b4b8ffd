package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.veilgate.console.settings.ConsoleSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.test.web.servlet.MockMvc;

/** Searches go with the session that they were started in. */
class SessionSearchesTest extends ScriptedGateway {
    private static final String SCOPE = "plant-sessions";

    @Autowired
    private MockMvc http;

    @Autowired
    private ConsoleSettings settings;

    private final MockHttpSession session = new MockHttpSession();

    @BeforeEach
    void haveALine() throws Exception {
        serve(chain(newSender("press-sessions"), List.of(SCOPE), List.of("one overheated"))
                .toArray(byte[][]::new));
    }

    private String startHere() throws Exception {
        MockHttpServletResponse response = http.perform(post("/api/searches")
                        .session(session)
                        .with(login(user.id(), "auditor"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content(query("overheated", SCOPE)))
                .andReturn()
                .getResponse();
        assertThat(response.getStatus()).isEqualTo(201);
        return response.getContentAsString().replaceAll(".*?\"id\":\"([^\"]+)\".*", "/api/searches/$1");
    }

    private Set<Path> spools() throws IOException {
        try (Stream<Path> files = Files.list(settings.dataDir().resolve("spool"))) {
            return files.collect(Collectors.toSet());
        }
    }

    @Test
    void itsEndDropsThemWithTheirRowsAndNoOthers() throws Exception {
        find(1, false);
        String other = start(query("overheated", SCOPE));
        awaitEnd(other);
        Set<Path> before = spools();
        String search = startHere();
        awaitEnd(search);
        assertThat(send(search + "/rows/0").getStatus()).isEqualTo(200);
        assertThat(spools()).hasSize(before.size() + 1);
        http.perform(post("/logout")
                .session(session)
                .with(login(user.id(), "auditor"))
                .with(csrf()));
        assertThat(session.isInvalid()).isTrue();
        assertThat(send(search).getStatus()).isEqualTo(404);
        assertThat(send(search + "/rows/0").getStatus()).isEqualTo(404);
        Awaitility.await().atMost(PATIENCE).until(() -> spools().equals(before));
        assertThat(send(other + "/rows/0").getStatus()).isEqualTo(200);
    }

    @Test
    void theEventsOfOneThatRunsEndWithTheSession() throws Exception {
        find(1, true);
        String search = startHere();
        await(search, state -> state.get("rows").asInt() == 1);
        CompletableFuture<MockHttpServletResponse> events = CompletableFuture.supplyAsync(() -> {
            try {
                return http.perform(get(search + "/events").session(session).with(login(user.id(), "auditor")))
                        .andReturn()
                        .getResponse();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        assertThat(events).isNotCompleted();
        session.invalidate();
        assertThat(events.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).getStatus())
                .isIn(200, 404);
        assertThat(send(search).getStatus()).isEqualTo(404);
    }
}
