package dev.veilgate.console.saved;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.jayway.jsonpath.JsonPath;
import dev.veilgate.console.ConsoleTest;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

@ConsoleTest
class SavedSearchesTest {
    private final String user = "saver-" + UUID.randomUUID();

    @Autowired
    private MockMvc http;

    private ResultActions save(String name, String query) throws Exception {
        return http.perform(post("/api/saved-searches")
                .with(login(user, "auditor"))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content("{\"name\": \"" + name + "\", \"query\": " + query + "}"));
    }

    private ResultActions list(String by) throws Exception {
        return http.perform(get("/api/saved-searches").with(login(by, "auditor")));
    }

    private ResultActions forget(String id, String by) throws Exception {
        return http.perform(
                delete("/api/saved-searches/" + id).with(login(by, "auditor")).with(csrf()));
    }

    @Test
    void areTheUsersOwnAndTheLastOfANameStays() throws Exception {
        save("errors", "{\"query\": \"level:error\", \"scope\": \"plant-7\"}").andExpect(status().isCreated());
        String saved = save("errors", "{\"query\": \"level:warn\", \"scope\": \"plant-7\", \"senders\": [\"press-4\"]}")
                .andExpect(status().isCreated())
                .andReturn()
                .getResponse()
                .getContentAsString();
        list(user)
                .andExpect(jsonPath("$.length()").value(1))
                .andExpect(jsonPath("$[0].query.query").value("level:warn"))
                .andExpect(jsonPath("$[0].query.mail").value(false))
                .andExpect(jsonPath("$[0].query.senders[0]").value("press-4"))
                .andExpect(jsonPath("$[0].query.from").doesNotExist());
        list(user + "-other").andExpect(jsonPath("$.length()").value(0));
        String id = JsonPath.read(saved, "$.id");
        forget(id, user + "-other").andExpect(status().isNotFound());
        forget(id, user).andExpect(status().isNoContent());
        list(user).andExpect(jsonPath("$.length()").value(0));
    }

    @Test
    void tellHowTheirQueryWasUnderstood() throws Exception {
        save("read", "{\"query\": \"level:erorr disk\", \"scope\": \"plant-7\"}");
        save("refused", "{\"query\": \"a OR\", \"scope\": \"plant-7\"}").andExpect(status().isCreated());
        String read = "$[?(@.name == 'read')].understood";
        list(user)
                .andExpect(jsonPath(read + ".terms[0].field").value("level"))
                .andExpect(jsonPath(read + ".terms[0].text").value("erorr"))
                .andExpect(jsonPath(read + ".terms[1].text").value("AND"))
                .andExpect(jsonPath(read + ".notes[0]").value(hasItem(containsString("the nearest is error"))))
                .andExpect(jsonPath("$[?(@.name == 'refused')].understood").isEmpty());
    }

    @Test
    void keepWhoSignedWhatTheyLookFor() throws Exception {
        String query = "{\"query\": \"urgent\", \"scope\": \"mailbox\", \"mail\": true, \"signed\": [%s]}";
        save("odd", query.formatted("\"ada\"")).andExpect(status().isBadRequest());
        save("all", query.formatted("")).andExpect(jsonPath("$.query.signed").doesNotExist());
        save("own", query.formatted("\"sender\"")).andExpect(status().isCreated());
        list(user).andExpect(jsonPath("$[?(@.name == 'own')].query.signed[0]").value("sender"));
    }

    @Test
    void thereIsAnEndToThem() throws Exception {
        for (int i = 0; i < SavedSearches.MAX; i++) {
            save("search " + i, "{\"query\": \"a\", \"scope\": \"s\"}");
        }
        save("one more", "{\"query\": \"a\", \"scope\": \"s\"}").andExpect(status().isConflict());
        save("search 7", "{\"query\": \"b\", \"scope\": \"s\"}").andExpect(status().isCreated());
        assertThat(list(user).andReturn().getResponse().getContentAsString()).contains("\"b\"");
    }

    @Test
    void whatIsNoneIsMalformed() throws Exception {
        save(" ", "{\"query\": \"a\", \"scope\": \"s\"}").andExpect(status().isBadRequest());
        save("x", "{\"query\": \"a\"}").andExpect(status().isBadRequest());
        save("x", "null").andExpect(status().isBadRequest());
        save("x", "{\"query\": \"a\", \"scope\": \"s\", \"scopes\": []}").andExpect(status().isBadRequest());
    }
}
