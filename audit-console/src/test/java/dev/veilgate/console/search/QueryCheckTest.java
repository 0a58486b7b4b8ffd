package dev.veilgate.console.search;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.custody.Custody;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
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
    void anErrorSaysWhereItIs() throws Exception {
        check("overheat AND ip:nowhere").andExpect(jsonPath("$.errors[0].at").value(13));
        check("  overheat )").andExpect(jsonPath("$.errors[0].at").value(11));
        check("NOT overheat").andExpect(jsonPath("$.errors[0].message").isString());
        check("NOT overheat").andExpect(jsonPath("$.errors[0].at").doesNotExist());
        check("overheat").andExpect(jsonPath("$.errors").isEmpty());
    }
}
