package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.veilgate.client.EnvelopeRef;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.search.ExportSample.Unzipped;
import dev.veilgate.issuing.SignedStatement;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Exports over HTTP, of a search that fails: there is no gateway that searches. */
@ConsoleTest
class ExportControllerTest {
    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private RunningExports running;

    @Autowired
    private FoundContent content;

    @Autowired
    private JsonMapper json;

    private String search;

    @BeforeEach
    void search() throws Exception {
        String started = http.perform(post("/api/searches")
                        .with(login("export-ada", "auditor"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"query\": \"level:error\", \"scope\": \"plant-7\", \"mail\": false}"))
                .andReturn()
                .getResponse()
                .getContentAsString();
        assertThat(started).contains("\"id\"");
        search = "/api/searches/" + json.readTree(started).get("id").asString();
        long until = System.nanoTime() + ScriptedGateway.PATIENCE.toNanos();
        while (List.of(SearchJob.ISSUING, SearchJob.RUNNING)
                .contains(json.readTree(send(search, "export-ada").getContentAsString())
                        .get("state")
                        .asString())) {
            assertThat(System.nanoTime()).as("the search ends").isLessThan(until);
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void openKeys() throws Exception {
        custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
    }

    private MockHttpServletResponse send(String path, String user) throws Exception {
        return http.perform(get(path).with(login(user, "auditor"))).andReturn().getResponse();
    }

    @Test
    void theOwnerGetsAnArchive() throws Exception {
        MockHttpServletResponse response = send(search + "/export?format=jsonl", "export-ada");
        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContentType()).isEqualTo("application/zip");
        assertThat(response.getHeader("Content-Disposition"))
                .matches("attachment; filename=\"export-[0-9]{8}-[0-9]{6}-jsonl.zip\"");
        Unzipped files = Unzipped.of(response.getContentAsByteArray());
        JsonNode manifest = json.readTree(files.bytes("manifest.json"));
        assertThat(manifest.get("incomplete").toString())
                .as("the gateway answers no search")
                .contains("\"code\":\"failed\",\"names\":[\"the gateway");
        assertThat(manifest.get("search").get("state").asString()).isEqualTo("failed");
        assertThat(manifest.get("search").get("query").asString()).isEqualTo("level:error");
        assertThat(manifest.get("user").asString()).isEqualTo("export-ada");
        assertThat(SignedStatement.decode(files.bytes("manifest.signed"))
                        .isSignedBy(custody.use(keys -> keys.authority().fingerprint())))
                .isTrue();
    }

    @Test
    void aUserHasAFewAtATime() throws Exception {
        User ada = new User("export-ada", "Ada", Set.of(Role.AUDITOR), Optional.empty());
        try (RunningExports.Place one = running.take(ada);
                RunningExports.Place two = running.take(ada)) {
            MockHttpServletResponse refused = send(search + "/export?format=jsonl", "export-ada");
            assertThat(refused.getStatus()).isEqualTo(429);
            assertThat(refused.getContentAsString()).contains("2 of your exports are under way");
            assertThat(send(search + "/export?format=jsonl", "export-bob").getStatus())
                    .isEqualTo(404);
            assertThat(one).isNotSameAs(two);
        }
        for (int i = 0; i < 3; i++) { // each gives its place back
            assertThat(send(search + "/export?format=jsonl", "export-ada").getStatus())
                    .isEqualTo(200);
        }
    }

    /** There is no such envelope at the gateway of these tests. */
    @Test
    void whatTheGatewayDoesNotHaveIsGone() {
        assertThatThrownBy(() -> content.envelope(new EnvelopeRef(UUID.randomUUID(), Optional.empty())))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.status().value()).isEqualTo(410));
    }

    @Test
    void nobodyElseGetsIt() throws Exception {
        assertThat(send(search + "/export?format=jsonl", "export-bob").getStatus())
                .isEqualTo(404);
    }

    @Test
    void anotherFormatIsRefused() throws Exception {
        assertThat(send(search + "/export?format=pdf", "export-ada").getStatus())
                .isEqualTo(400);
        assertThat(send(search + "/export", "export-ada").getStatus()).isEqualTo(400);
        assertThat(send(search + "/export?format=mbox", "export-ada").getStatus())
                .isEqualTo(400);
    }

    @Test
    void lockedKeysSignNothing() throws Exception {
        custody.lock();
        MockHttpServletResponse response = send(search + "/export?format=jsonl", "export-ada");
        assertThat(response.getStatus()).isEqualTo(423);
        assertThat(response.getContentType()).isEqualTo("application/problem+json");
    }
}
