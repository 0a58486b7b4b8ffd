package dev.veilgate.console.senders;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.StubGateway;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.envelope.NextProfile;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.envelope.SenderKeyText;
import dev.veilgate.envelope.SenderPublicKey;
import dev.veilgate.envelope.SenderRegistry;
import dev.veilgate.envelope.SigningKey;
import dev.veilgate.extract.ExtractorProfile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** Registered senders are in the sender registry; what the gateway knows of them is beside. */
@ConsoleTest
class SendersTest {
    @TempDir
    private Path folder;

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

    @Test
    void eachIsShownWithWhenItWasLastSeenByWhichRules() throws Exception {
        PublicBundle.Epoch present = EpochPolicy.MONTHLY.at(clock.instant());
        byte[] profile = ExtractorProfile.defaults().withRules(2).encode();
        rules().andExpect(jsonPath("$.next").doesNotExist());
        use(new NextProfile(profile, present, null));
        try {
            rules().andExpect(jsonPath("$.next.rules").value(2))
                    .andExpect(jsonPath("$.next.from").value(present.name()))
                    .andExpect(jsonPath("$.next.onlyFrom").doesNotExist())
                    .andExpect(
                            jsonPath("$.senders[?(@.name == 'press-4')].former").value("2026-11-21T10:00:00Z"))
                    .andExpect(
                            jsonPath("$.senders[?(@.name == 'press-4')].later").value("2026-11-22T10:00:00Z"))
                    .andExpect(
                            jsonPath("$.senders[?(@.name == 'gate-9')].former").isEmpty())
                    .andExpect(
                            jsonPath("$.senders[?(@.name == 'gate-9')].later").value("2026-11-22T08:00:00Z"))
                    .andExpect(jsonPath("$.senders[-1].name").value(""))
                    .andExpect(jsonPath("$.senders[-1].former").value("2026-11-20T10:00:00Z"));
            register(SigningKey.generate("quiet-1", new SecureRandom()), false).andExpect(status().isCreated());
            rules().andExpect(jsonPath("$.senders[?(@.name == 'quiet-1')]").isNotEmpty())
                    .andExpect(
                            jsonPath("$.senders[?(@.name == 'quiet-1')].former").isEmpty());
            use(new NextProfile(new byte[] {9}, present, present));
            rules().andExpect(jsonPath("$.next.rules").doesNotExist())
                    .andExpect(jsonPath("$.next.onlyFrom").value(present.name()));
        } finally {
            use(null);
            send("/remove", "{\"name\": \"quiet-1\"}");
        }
    }

    private ResultActions rules() throws Exception {
        return http.perform(get("/api/senders/rules").with(login("oli", "operator")))
                .andExpect(status().isOk());
    }

    private void use(@Nullable NextProfile next) throws Exception {
        custody.change(keys -> {
            keys.setProfiles(keys.profiles().withNext(next));
            return true;
        });
    }

    private PublicBundle bundle() throws Exception {
        String pinned = custody.use(keys -> keys.authority().fingerprint());
        return PublicBundle.verify(custody.bundle().orElseThrow(), pinned, clock.instant());
    }

    /** As a gateway finds them. */
    private List<SenderPublicKey> registered(String name) throws Exception {
        byte[] fetched = http.perform(get("/sender-registry"))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsByteArray();
        Path file = Files.write(folder.resolve("acme.senders"), fetched);
        String pinned = custody.use(keys -> keys.authority().fingerprint());
        SenderRegistry.Expected expected = new SenderRegistry.Expected(pinned, custody.tenant(), 0);
        try (SenderRegistry registry = SenderRegistry.open(file, expected)) {
            return registry.keysOf(name);
        }
    }

    @Test
    void aRegisteredOneIsInTheNextRegistryAndAnotherKeyHasToBeMeant() throws Exception {
        SigningKey first = SigningKey.generate("press-9", new SecureRandom());
        SigningKey second = SigningKey.generate("press-9", new SecureRandom());
        register(first, false)
                .andExpect(status().isCreated())
                .andExpect(jsonPath("$.fingerprint").value(first.publicKey().fingerprint()));
        assertThat(registered("press-9")).containsExactly(first.publicKey());
        assertThat(bundle().senders()).isEmpty();
        assertThat(bundle().sendersInRegistry()).isTrue();
        long serial = bundle().serial();
        register(second, false).andExpect(status().isConflict());
        assertThat(bundle().serial()).isEqualTo(serial);
        register(second, true).andExpect(status().isCreated());
        assertThat(registered("press-9")).containsExactly(second.publicKey());
        list().andExpect(jsonPath("$.senders[?(@.name == 'press-9')].state").value("unknown"))
                .andExpect(
                        jsonPath("$.senders[?(@.name == 'press-9')].registered").value(true));
        send("/remove", "{\"name\": \"press-9\"}").andExpect(status().isNoContent());
        send("/remove", "{\"name\": \"press-9\"}").andExpect(status().isNotFound());
        assertThat(registered("press-9")).isEmpty();
    }

    @Test
    void gapsAreShown() throws Exception {
        list().andExpect(jsonPath("$.senders[?(@.name == 'press-4')].state").value("unregistered"))
                .andExpect(jsonPath("$.senders[?(@.name == 'press-4')].lastSequence")
                        .value(12))
                .andExpect(
                        jsonPath("$.senders[?(@.name == 'press-4')].lastSeen").value("2026-11-22T10:00:01Z")) // arrived
                .andExpect(jsonPath("$.senders[?(@.name == 'press-4')].gaps[0]").value("3"))
                .andExpect(jsonPath("$.senders[?(@.name == 'press-4')].gaps[1]").value("5-6"));
        register(SigningKey.generate("press-4", new SecureRandom()), true);
        list().andExpect(jsonPath("$.senders[?(@.name == 'press-4')].state").value("gaps"));
        send("/remove", "{\"name\": \"press-4\"}");
    }

    @Test
    void aPageHasThoseThatAreWantedAndCountsAll() throws Exception {
        http.perform(get("/api/senders?text=PRESS&state=unregistered&order=heard&count=1")
                        .with(login("oli", "operator")))
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.known").value(true))
                .andExpect(jsonPath("$.found").value(1))
                .andExpect(jsonPath("$.states.unregistered").value(1))
                .andExpect(jsonPath("$.senders[0].name").value("press-4"));
        for (String wrong : List.of("from=-1", "count=0", "count=201", "order=size", "text=" + "x".repeat(257))) {
            http.perform(get("/api/senders?" + wrong).with(login("oli", "operator")))
                    .andExpect(status().isBadRequest());
        }
    }

    @Test
    void whatIsNoKeyIsRefused() throws Exception {
        send("", "{\"publicKey\": \"ssh-ed25519 AAAA\"}").andExpect(status().isBadRequest());
        send("", "{}").andExpect(status().isBadRequest());
    }

    private ResultActions credential(String path, String name, String kind) throws Exception {
        return send("/credential" + path, "{\"name\": \"" + name + "\", \"kind\": \"" + kind + "\"}");
    }

    private String log() throws Exception {
        return http.perform(get("/api/log").with(login("kim", "keeper")))
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    @ParameterizedTest
    @CsvSource({"mqtt,device", "smtp,mail", "http,token"})
    void aSecretIsMadeByTheGatewaySaidOnceAndInTheLogByNameOnly(String kind, String atGateway) throws Exception {
        String name = "access-" + kind;
        register(SigningKey.generate(name, new SecureRandom()), true);
        String credentials = "$.senders[?(@.name == '" + name + "')].credentials[*]";
        list().andExpect(jsonPath(credentials).isEmpty());
        credential("", name, kind)
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.name").value(name))
                .andExpect(jsonPath("$.kind").value(kind))
                .andExpect(jsonPath("$.secret").value(StubGateway.SECRET));
        assertThat(StubGateway.ACCESS).contains(atGateway + " " + name);
        list().andExpect(jsonPath(credentials).value(kind));
        assertThat(log()).contains("access given", name).doesNotContain(StubGateway.SECRET);
        credential("/remove", name, kind).andExpect(status().isNoContent());
        assertThat(log()).contains("access taken away");
        list().andExpect(jsonPath(credentials).isEmpty());
        credential("/remove", name, kind).andExpect(status().isNotFound());
    }

    @Test
    void whatTheGatewayRefusesIsSaid() throws Exception {
        credential("", StubGateway.TAKEN, "mqtt")
                .andExpect(status().isBadGateway())
                .andExpect(jsonPath("$.detail").value("the gateway refused: this name is taken"));
    }

    @Test
    void aCredentialNeedsAKindAndAName() throws Exception {
        credential("", "press-4", "ftp").andExpect(status().isBadRequest());
        credential("", "", "mqtt").andExpect(status().isBadRequest());
        credential("", "a\\nb", "mqtt").andExpect(status().isBadRequest());
        credential("", "x".repeat(129), "mqtt").andExpect(status().isBadRequest());
        send("/credential", "{\"name\": \"press-4\"}").andExpect(status().isBadRequest());
    }
}
