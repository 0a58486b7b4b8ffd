package dev.veilgate.console.readers;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.authority.ReaderKeyFile;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.envelope.ReaderKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** Attribute keys leave as a file of their reader, and are remembered. */
@ConsoleTest
class ReadersTest {
    @Autowired
    private MockMvc http;

    @TempDir
    private Path temporary;

    private ResultActions issue(String name, String attributes, String epochs, String passphrase) throws Exception {
        return send(
                "issue",
                "{\"name\": \"%s\", \"attributes\": \"%s\", \"epochs\": \"%s\", \"passphrase\": \"%s\"}"
                        .formatted(name, attributes, epochs, passphrase));
    }

    private ResultActions send(String action, String body) throws Exception {
        return http.perform(post("/api/readers/" + action)
                .with(login("kim", "keeper"))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content(body));
    }

    private ResultActions list() throws Exception {
        return http.perform(get("/api/readers").with(login("kim", "keeper")));
    }

    @Test
    void theReaderOpensTheFileAndIsListedUntilRevoked() throws Exception {
        byte[] file = issue("carl", "role:dpo, clearance = 5", "2026-11..2026-12", "reader's secret")
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsByteArray();
        Path path = Files.write(temporary.resolve("carl.vgr"), file);
        List<ReaderKey> keys = ReaderKeyFile.read(path, "reader's secret".getBytes(StandardCharsets.UTF_8));
        assertThat(keys).hasSizeGreaterThanOrEqualTo(2);
        keys.forEach(ReaderKey::close);
        list().andExpect(jsonPath("$[?(@.name == 'carl')].attributes").value("clearance = 5, role:dpo"))
                .andExpect(jsonPath("$[?(@.name == 'carl')].epochs[1]").value("2026-12"));
        http.perform(get("/api/log?kind=attribute-key&limit=1").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'reader')].value")
                        .value("carl"))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'epochs')].value")
                        .value("2026-11 2026-12"));
        send("revoke", "{\"name\": \"carl\"}").andExpect(status().isNoContent());
        list().andExpect(jsonPath("$[?(@.name == 'carl')]").isEmpty());
        send("revoke", "{\"name\": \"carl\"}").andExpect(status().isNotFound());
    }

    @Test
    void whatCannotBeIssuedIsNamed() throws Exception {
        issue("dora", "role:", "2026-11", "12345678").andExpect(status().isBadRequest());
        issue("dora", "role:dpo AND site:plant-7", "2026-11", "12345678").andExpect(status().isBadRequest());
        issue("dora", "role:dpo", "November", "12345678").andExpect(status().isBadRequest());
        issue("dora", "role:dpo", "1900-01..2026-11", "12345678").andExpect(status().isBadRequest());
        issue("dora", "role:dpo", "2026-11", "1234567").andExpect(status().isBadRequest());
        issue(" ", "role:dpo", "2026-11", "12345678").andExpect(status().isBadRequest());
        list().andExpect(jsonPath("$[?(@.name == 'dora')]").isEmpty());
    }
}
