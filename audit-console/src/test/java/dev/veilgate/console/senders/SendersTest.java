package dev.veilgate.console.senders;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestClock;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SenderKeyText;
import dev.veilgate.envelope.SigningKey;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** Registered senders are in the bundle; what the gateway knows of them is beside. */
@ConsoleTest
class SendersTest {
    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private TestClock clock;

    private ResultActions register(SigningKey key, boolean replace) throws Exception {
        String text = SenderKeyText.write(key.publicKey()).replace("\n", "\\n");
        return send("", "{\"publicKey\": \"" + text + "\", \"replace\": " + replace + "}");
    }

    private ResultActions send(String path, String body) throws Exception {
        return http.perform(post("/api/senders" + path)
                .with(login("kim", "keeper"))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content(body));
    }

    private ResultActions list() throws Exception {
        return http.perform(get("/api/senders").with(login("oli", "operator")));
    }

    private PublicBundle bundle() throws Exception {
        String pinned = custody.use(keys -> keys.authority().fingerprint());
        return PublicBundle.verify(custody.bundle().orElseThrow(), pinned, clock.instant());
    }

    @Test
    void aRegisteredOneIsInTheNextBundleAndAnotherKeyHasToBeMeant() throws Exception {
        SigningKey first = SigningKey.generate("press-9", new SecureRandom());
        SigningKey second = SigningKey.generate("press-9", new SecureRandom());
        register(first, false)
                .andExpect(status().isCreated())
                .andExpect(jsonPath("$.fingerprint").value(first.publicKey().fingerprint()));
        assertThat(bundle().senders()).contains(first.publicKey());
        long serial = bundle().serial();
        register(second, false).andExpect(status().isConflict());
        assertThat(bundle().serial()).isEqualTo(serial);
        register(second, true).andExpect(status().isCreated());
        assertThat(bundle().senders()).contains(second.publicKey()).doesNotContain(first.publicKey());
        list().andExpect(jsonPath("$[?(@.name == 'press-9')].state").value("unknown"))
                .andExpect(jsonPath("$[?(@.name == 'press-9')].registered").value(true));
        send("/remove", "{\"name\": \"press-9\"}").andExpect(status().isNoContent());
        send("/remove", "{\"name\": \"press-9\"}").andExpect(status().isNotFound());
        assertThat(bundle().senders()).doesNotContain(second.publicKey());
    }

    @Test
    void gapsAreShown() throws Exception {
        list().andExpect(jsonPath("$[?(@.name == 'press-4')].state").value("unregistered"))
                .andExpect(jsonPath("$[?(@.name == 'press-4')].lastSequence").value(12))
                .andExpect(jsonPath("$[?(@.name == 'press-4')].gaps[0]").value("3"))
                .andExpect(jsonPath("$[?(@.name == 'press-4')].gaps[1]").value("5-6"));
        register(SigningKey.generate("press-4", new SecureRandom()), true);
        list().andExpect(jsonPath("$[?(@.name == 'press-4')].state").value("gaps"));
        send("/remove", "{\"name\": \"press-4\"}");
    }

    @Test
    void whatIsNoKeyIsRefused() throws Exception {
        send("", "{\"publicKey\": \"ssh-ed25519 AAAA\"}").andExpect(status().isBadRequest());
        send("", "{}").andExpect(status().isBadRequest());
    }
}
