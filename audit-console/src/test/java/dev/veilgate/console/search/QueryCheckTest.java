package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.not;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.StubGateway;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.extract.KnownFields;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** What is said of a query while it is typed. */
@ConsoleTest
class QueryCheckTest {
    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    private ResultActions check(String query) throws Exception {
        return http.perform(post("/api/queries/check")
                .with(login("ada", "auditor"))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"query\": \"" + query + "\", \"scope\": \"plant-7\"}"));
    }

    @Test
    void aSenderThatIsNoneIsMalformed() throws Exception {
        for (String path : List.of("/api/queries/check", "/api/searches")) {
            http.perform(
                            post(path)
                                    .with(login("ada", "auditor"))
                                    .with(csrf())
                                    .contentType(MediaType.APPLICATION_JSON)
                                    .content(
                                            "{\"query\": \"pump\", \"scope\": \"plant-7\", \"mail\": false, \"senders\": [null]}"))
                    .andExpect(status().isBadRequest());
        }
    }

    /** As many as a search then issues: one under each key for a keyword. */
    @Test
    void trapdoorsAreCounted() throws Exception {
        int each = custody.use(TenantKeys::trapdoorsOfKeyword);
        check("overheat AND pump").andExpect(jsonPath("$.trapdoors").value(2 * each));
        assertThatThrownBy(() -> custody.change(keys -> {
                    keys.rotateIndexKey(new SecureRandom(), Instant.now());
                    check("overheat AND pump").andExpect(jsonPath("$.trapdoors").value(2 * (each + 1)));
                    throw new IOException("other tests share these keys");
                }))
                .hasMessage("other tests share these keys");
        check("overheat AND pump").andExpect(jsonPath("$.trapdoors").value(2 * each));
    }

    @Test
    void termsSayWhatIsSearched() throws Exception {
        check("press-4 NOT user:root")
                .andExpect(jsonPath("$.terms[*].text", contains("press", "AND", "4", "AND", "NOT", "root")))
                .andExpect(jsonPath("$.terms[*].field", contains("word", "", "number or pid", "", "", "user")))
                .andExpect(jsonPath("$.notes.length()").value(2))
                .andExpect(jsonPath("$.warnings").isEmpty());
    }

    @Test
    void whatIsForeignIsRefusedWithWhatToWrite() throws Exception {
        check("failed -root")
                .andExpect(jsonPath("$.errors[0].at").value(7))
                .andExpect(jsonPath("$.errors[0].suggestions[0]").value("failed NOT root"))
                .andExpect(jsonPath("$.errors[0].message").value(not(containsString("root"))))
                .andExpect(jsonPath("$.decision").doesNotExist())
                .andExpect(jsonPath("$.trapdoors").value(0));
        check("  user=<script>alert(1)</script>").andExpect(jsonPath("$.errors").isEmpty()); // words
        check("  a or <b>x</b>")
                .andExpect(jsonPath("$.errors[0].at").value(4))
                .andExpect(jsonPath("$.errors[0].suggestions[0]").value("a OR <b>x</b>"));
    }

    /** Nobody gets round the check: a search, and a route, read the query by the same code. */
    @Test
    void whatIsForeignIsNotSearchedEither() throws Exception {
        http.perform(post("/api/searches")
                        .with(login("ada", "auditor"))
                        .with(csrf())
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"query\": \"failed -root\", \"scope\": \"plant-7\"}"))
                .andExpect(status().isBadRequest())
                .andExpect(jsonPath("$.detail").value(containsString("NOT")))
                .andExpect(jsonPath("$.detail").value(not(containsString("failed"))));
    }

    @Test
    void aSearchSaysWhoseEnvelopesItIsAbout() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        StubGateway.SEARCHING.set(exchange -> {
            StubGateway.nothing(exchange);
            asked.countDown();
        });
        http.perform(
                        post("/api/searches")
                                .with(login("asker-of-senders", "auditor"))
                                .with(csrf())
                                .contentType(MediaType.APPLICATION_JSON)
                                .content(
                                        "{\"query\": \"pump\", \"scope\": \"plant-7\", \"senders\": [\"press-4\", \"press-5\"]}"))
                .andExpect(status().isCreated())
                .andExpect(jsonPath("$.senders", contains("press-4", "press-5")));
        assertThat(asked.await(2, TimeUnit.MINUTES)).isTrue(); // it does not go on in another test
        StubGateway.SEARCHING.set(StubGateway::nothing);
    }

    @Test
    void mistakesAreWarnedOf() throws Exception {
        check(" hots:web-1")
                .andExpect(jsonPath("$.errors").isEmpty())
                .andExpect(jsonPath("$.warnings[0].at").value(1))
                .andExpect(jsonPath("$.warnings[0].suggestions[0]").value("host:web-1"));
        check("level:warm").andExpect(jsonPath("$.warnings[0].suggestions[0]").value("level:warn"));
    }

    /** So that none of those offered while one types is warned of. */
    @Test
    void fieldsOfTheCatalogueAreKnown() {
        assertThat(FieldCatalogue.ALL)
                .allSatisfy(
                        field -> assertThat(Stream.concat(KnownFields.OF_LOGS.stream(), KnownFields.OF_MAILS.stream()))
                                .contains(field.name()));
    }

    @Test
    void anErrorSaysWhereItIs() throws Exception {
        check("overheat AND ip:nowhere").andExpect(jsonPath("$.errors[0].at").value(13));
        check("  overheat )").andExpect(jsonPath("$.errors[0].at").value(11));
        check("NOT overheat").andExpect(jsonPath("$.errors[0].message").isString());
        check("NOT overheat").andExpect(jsonPath("$.errors[0].at").doesNotExist());
        check("overheat").andExpect(jsonPath("$.errors").isEmpty());
    }
}
