package dev.veilgate.console.audit;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.startsWith;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.BrokenAnswerException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import jakarta.servlet.ServletOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.DelegatingServletOutputStream;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** What is done and what is not while the issuing log takes no entry. */
@ConsoleTest
class UnwritableLogTest {
    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private AuditLog log;

    @Autowired
    private LogController controller;

    @AfterEach
    void open() throws Exception {
        custody.lock();
        custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
    }

    private ResultActions send(String path, String body) throws Exception {
        return http.perform(post(path)
                .with(login("kim", "keeper"))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content(body));
    }

    private void breakLog() {
        log.read(file -> {
            file.close();
            return true;
        });
    }

    /** Not in memory either, from where the next change would keep them. */
    @Test
    void readersStayAsTheyWere() throws Exception {
        String issue =
                "{\"name\": \"unlogged\", \"attributes\": \"%s\", \"epochs\": \"2026-11\", \"passphrase\": \"12345678\"}";
        send("/api/readers/issue", issue.formatted("role:dpo")).andExpect(status().isOk());
        breakLog();
        send("/api/readers/issue", issue.formatted("role:ceo")).andExpect(status().isInternalServerError());
        send("/api/readers/issue", issue.formatted("role:ceo").replace("unlogged", "unheard"))
                .andExpect(status().isInternalServerError());
        send("/api/readers/revoke", "{\"name\": \"unlogged\"}").andExpect(status().isInternalServerError());
        Map<String, String> readers = custody.use(keys -> keys.readers().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, each -> each.getValue().toString())));
        assertThat(readers).containsEntry("unlogged", "role:dpo").doesNotContainKey("unheard");
    }

    /** Nobody takes the part that was sent for the whole. */
    @Test
    void anExportThatCannotBeReadToItsEndIsBrokenOff() throws Exception {
        String issue =
                "{\"name\": \"exported\", \"attributes\": \"role:dpo\", \"epochs\": \"2026-11\", \"passphrase\": \"12345678\"}";
        send("/api/readers/issue", issue).andExpect(status().isOk()); // something to read
        MockHttpServletResponse response = new MockHttpServletResponse() {
            @Override
            public ServletOutputStream getOutputStream() {
                return new DelegatingServletOutputStream(new OutputStream() {
                    @Override
                    public void write(int value) {
                        write(new byte[1], 0, 1);
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) {
                        breakLog(); // when the header is sent
                    }
                });
            }
        };
        User kim = new User("kim", "Kim", Set.of(Role.KEEPER), Optional.empty());
        assertThatThrownBy(() -> controller.export(kim, response))
                .isInstanceOf(BrokenAnswerException.class)
                .hasMessageContaining("could not be read");
    }

    @Test
    void theKeysAreLockedAndNothingElseHappens() throws Exception {
        long serial = custody.use(keys -> keys.serial());
        breakLog();
        send("/api/keys/rotate", "{}").andExpect(status().isInternalServerError());
        assertThat(custody.<Long>use(keys -> keys.serial())).isEqualTo(serial);
        send("/api/keys/lock", "")
                .andExpect(status().isInternalServerError())
                .andExpect(jsonPath("$.type").value("urn:veilgate:problem:issuing-log"))
                .andExpect(jsonPath("$.detail")
                        .value(startsWith("the keys are locked, and no entry says so: the issuing log cannot")));
        assertThat(custody.isLocked()).isTrue();
        send("/api/keys/lock", "").andExpect(status().isNoContent());
    }
}
