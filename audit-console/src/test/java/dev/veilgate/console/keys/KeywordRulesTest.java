package dev.veilgate.console.keys;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.startsWith;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.TenantProfiles;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.PublicBundle.Epoch;
import dev.veilgate.extract.ExtractorProfile;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** Rules of keywords in a keeper's hands. */
@ConsoleTest
class KeywordRulesTest {
    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private TestClock clock;

    @AfterEach
    void withdraw() throws Exception {
        custody.unlock(TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8));
        use(null);
    }

    private void use(@Nullable NextProfile next) throws Exception {
        custody.change(keys -> {
            keys.setProfiles(keys.profiles().withNext(next));
            return true;
        });
    }

    private Epoch present() {
        return EpochPolicy.MONTHLY.at(clock.instant());
    }

    private Epoch following(Epoch epoch) {
        return EpochPolicy.MONTHLY.at(epoch.to());
    }

    private ResultActions send(String path, String body) throws Exception {
        return http.perform(post("/api/keys/rules" + path)
                .with(login("kim", "keeper"))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content(body));
    }

    private ResultActions show() throws Exception {
        return http.perform(get("/api/keys/rules").with(login("kim", "keeper")));
    }

    private TenantProfiles profiles() throws Exception {
        return custody.use(keys -> keys.profiles());
    }

    private Optional<NextProfile> published() throws Exception {
        String pinned = custody.use(keys -> keys.authority().fingerprint());
        return PublicBundle.verify(custody.bundle().orElseThrow(), pinned, clock.instant())
                .nextProfile();
    }

    @Test
    void arePreviewedThenChangedWithABundleAndAnEntry() throws Exception {
        String next = following(present()).name();
        show().andExpect(status().isOk())
                .andExpect(jsonPath("$.next").doesNotExist())
                .andExpect(jsonPath("$.nextEpoch").value(next))
                .andExpect(jsonPath("$.profile.templates").value(true))
                .andExpect(jsonPath("$.room.mostFormer").value(1024));
        String wanted = "{\"rules\": 2, \"profile\": {\"fields\": [\"unit\"], \"wordPrefixes\": \"3..8\"}}";
        send("/preview", wanted)
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.change").value(true))
                .andExpect(jsonPath("$.situation", hasItem(startsWith("From epoch " + next + " on senders that know"))))
                .andExpect(jsonPath("$.notes", hasItem(containsString("before epoch " + next + " begins"))));
        assertThat(profiles().next()).as("nothing is changed yet").isEmpty();
        assertThat(published()).isEmpty();

        send("", wanted)
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.next.rules").value(2))
                .andExpect(jsonPath("$.next.from").value(next))
                .andExpect(jsonPath("$.next.used").value(false))
                .andExpect(jsonPath("$.profile.fields[0]").value("unit"));
        NextProfile made = published().orElseThrow();
        assertThat(made.from().name()).isEqualTo(next);
        assertThat(ExtractorProfile.decode(made.encoded()).fields()).containsExactly("unit");
        http.perform(get("/api/log?kind=sender-change&actor=kim&limit=1").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'name')].value")
                        .value(hasItem(startsWith("keywords by rules 2 of profile "))));
        send("", "{\"rules\": 2}").andExpect(status().isConflict());
        send("/preview", "{\"rules\": 2}").andExpect(jsonPath("$.change").value(false));
        send("", "{\"withdraw\": true}")
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.next").doesNotExist());
        assertThat(published()).isEmpty();
    }

    @Test
    void whatWouldHideWhatWasSealedIsRefused() throws Exception {
        Epoch present = present();
        String next = following(present).name();
        send("", "{\"rules\": 2, \"from\": \"" + present.name() + "\"}")
                .andExpect(status().isConflict())
                .andExpect(jsonPath("$.detail", containsString("has begun")));
        use(new NextProfile(
                ExtractorProfile.defaults().withIpPrefixes(16).withRules(2).encode(), present, null));
        TenantProfiles before = profiles();
        show().andExpect(jsonPath("$.next.used").value(true));
        for (String wrong : new String[] {
            "{\"withdraw\": true}",
            "{\"from\": \"" + next + "\"}",
            "{\"aloneFrom\": \"" + present.name() + "\"}",
            "{\"profile\": {\"ipPrefixes\": []}}"
        }) {
            send("/preview", wrong).andExpect(status().isConflict());
            send("", wrong).andExpect(status().isConflict());
        }
        assertThat(profiles()).isEqualTo(before);
        send("", "{\"aloneFrom\": \"" + next + "\"}")
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.next.aloneFrom").value(next));
        send("", "{\"aloneFrom\": \"\"}")
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.next.aloneFrom").doesNotExist());
    }

    @Test
    void whatIsWrittenOtherwiseIsNotUnderstood() throws Exception {
        for (String wrong : new String[] {
            "{}",
            "{\"rules\": 1}",
            "{\"rules\": 2, \"from\": \"soon\"}",
            "{\"rules\": 2, \"withdraw\": true}",
            "{\"rules\": 2, \"profile\": {\"fields\": [null]}}",
            "{\"rules\": 2, \"profile\": {\"numeric\": [\"x\"]}}"
        }) {
            send("/preview", wrong).andExpect(status().isBadRequest());
            send("", wrong).andExpect(status().isBadRequest());
        }
        custody.lock();
        show().andExpect(status().isLocked());
        send("", "{\"rules\": 2}").andExpect(status().isLocked());
    }
}
