package dev.veilgate.console.keys;

import static dev.veilgate.console.TestConsole.login;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.containsString;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.jayway.jsonpath.JsonPath;
import dev.veilgate.application.TestClock;
import dev.veilgate.authority.AuthorityLog;
import dev.veilgate.authority.KeyBackup;
import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.KeyShare;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.console.ConsoleTest;
import dev.veilgate.console.TestConsole;
import dev.veilgate.console.custody.Custody;
import dev.veilgate.console.http.BrokenAnswerException;
import dev.veilgate.console.identity.Role;
import dev.veilgate.console.identity.User;
import dev.veilgate.console.settings.ConsoleSettings.KeySettings;
import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.issuing.HeadPolicy;
import dev.veilgate.issuing.IssuingLog;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/** The keys in a keeper's hands. */
@ConsoleTest
class KeysTest {
    private static final byte[] PASSPHRASE = TestConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8);

    @Autowired
    private MockMvc http;

    @Autowired
    private Custody custody;

    @Autowired
    private BackupController backups;

    @Autowired
    private TestClock clock;

    @Autowired
    private KeySettings settings;

    @TempDir
    private Path temporary;

    @AfterEach
    void open() throws Exception {
        custody.unlock(PASSPHRASE);
    }

    private ResultActions send(String path, String body) throws Exception {
        return http.perform(post(path)
                .with(login("kim", "keeper"))
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content(body));
    }

    private ResultActions keys() throws Exception {
        return http.perform(get("/api/keys").with(login("kim", "keeper")));
    }

    private ResultActions unlock(String passphrase) throws Exception {
        return send("/api/keys/unlock", "{\"passphrase\": \"" + passphrase + "\"}");
    }

    @Test
    void lockedNothingIsKnownAndTheRightPassphraseOpens() throws Exception {
        send("/api/keys/lock", "").andExpect(status().isNoContent());
        keys().andExpect(jsonPath("$.locked").value(true))
                .andExpect(jsonPath("$.keys").isEmpty())
                .andExpect(jsonPath("$.epochs").doesNotExist());
        http.perform(get("/api/log").with(login("kim", "keeper"))).andExpect(status().isLocked());
        http.perform(get("/api/readers").with(login("kim", "keeper"))).andExpect(status().isLocked());
        http.perform(get("/api/routes").with(login("oli", "operator"))).andExpect(status().isLocked());
        unlock(TestConsole.PASSPHRASE)
                .andExpect(status().isOk())
                .andExpect(jsonPath("$.locked").value(false))
                .andExpect(jsonPath("$.tenant").value(TestConsole.TENANT))
                .andExpect(jsonPath("$.epochs").value("monthly"))
                .andExpect(jsonPath("$.trapdoors").isNumber())
                .andExpect(jsonPath("$.bundleExpires").isString());
        http.perform(get("/api/log?kind=key-change&actor=kim&limit=2").with(login("kim", "keeper")))
                .andExpect(jsonPath("$.entries[0].details[?(@.name == 'action')].value")
                        .value("unlocked"))
                .andExpect(jsonPath("$.entries[1].details[?(@.name == 'action')].value")
                        .value("locked"));
    }

    @Test
    void whoTriesPassphrasesWaitsLongerEachTime() throws Exception {
        custody.lock();
        unlock("wrong")
                .andExpect(status().isForbidden())
                .andExpect(jsonPath("$.type").value("urn:veilgate:problem:wrong-passphrase"));
        unlock(TestConsole.PASSPHRASE).andExpect(status().isTooManyRequests());
        clock.advance(Duration.ofSeconds(1));
        unlock("wrong").andExpect(status().isForbidden());
        clock.advance(Duration.ofSeconds(1));
        unlock("wrong").andExpect(status().isTooManyRequests());
        clock.advance(Duration.ofSeconds(1));
        unlock("wrong").andExpect(status().isForbidden());
        clock.advance(Duration.ofSeconds(4));
        unlock(TestConsole.PASSPHRASE).andExpect(status().isOk());
        custody.lock();
        unlock(TestConsole.PASSPHRASE).andExpect(status().isOk());
    }

    @Test
    void withoutTheIssuingLogTheKeysStayLocked() throws Exception {
        custody.lock();
        SecureRandom random = new SecureRandom();
        try (KeyFolder other = KeyFolder.open(settings.folder(), PASSPHRASE, KeyFolder.Access.READ, random);
                IssuingLog held = AuthorityLog.open(other, HeadPolicy.DEFAULT, clock, random)) {
            unlock(TestConsole.PASSPHRASE)
                    .andExpect(status().isConflict())
                    .andExpect(jsonPath("$.detail").value(containsString("issuing log")));
            assertThat(custody.isLocked()).isTrue();
            assertThat(held.size()).isNotNegative();
        }
        unlock(TestConsole.PASSPHRASE).andExpect(status().isOk());
    }

    @Test
    void newKeysStandBesideTheOldOnesInANewBundle() throws Exception {
        String before = keys().andReturn().getResponse().getContentAsString();
        String after = send("/api/keys/rotate", "{\"kinds\": [\"policy\", \"wrap\"]}")
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsString();
        List<String> old = JsonPath.read(before, "$.keys[*].id");
        List<String> all = JsonPath.read(after, "$.keys[*].id");
        assertThat(all).hasSize(old.size() + 2).containsAll(old);
        int serial = JsonPath.read(after, "$.bundleSerial");
        assertThat(serial).isGreaterThan(JsonPath.<Integer>read(before, "$.bundleSerial"));
        MockHttpServletResponse answer =
                http.perform(get("/bundle")).andReturn().getResponse();
        byte[] bundle = answer.getContentAsByteArray();
        http.perform(get("/bundle").header("If-None-Match", answer.getHeader("ETag")))
                .andExpect(status().isNotModified());
        PublicBundle verified = PublicBundle.verify(bundle, JsonPath.read(after, "$.authority"), clock.instant());
        assertThat(verified.serial()).isEqualTo(serial);
        assertThat(JsonPath.<List<String>>read(after, "$.signatures"))
                .containsExactly("Ed25519", "ML-DSA-65", "SLH-DSA-SHA2-128f")
                .isEqualTo(verified.authority().lastingSchemes());
        send("/api/keys/rotate", "{\"kinds\": [\"all\"]}").andExpect(status().isBadRequest());
        send("/api/keys/rotate", "{\"kinds\": [null]}").andExpect(status().isBadRequest());
    }

    @Test
    void someOfTheSharesRestoreTheKeys() throws Exception {
        byte[] zip = send("/api/keys/backup", backup(3, 2, TestConsole.PASSPHRASE))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsByteArray();
        Path file = temporary.resolve("backup");
        List<KeyShare> shares = new ArrayList<>();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip))) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                if (entry.getName().endsWith(".txt")) {
                    shares.add(KeyShare.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
                } else {
                    Files.write(file, in.readAllBytes());
                }
            }
        }
        assertThat(shares).hasSize(3);
        Path folder = temporary.resolve("keys");
        SecureRandom random = new SecureRandom();
        assertThatThrownBy(() -> KeyBackup.restore(
                        file, shares.subList(0, 1), folder, PASSPHRASE, new PassphraseCost(64, 1, 1), random))
                .isInstanceOf(KeyFileException.class);
        KeyBackup.restore(file, shares.subList(1, 3), folder, PASSPHRASE, new PassphraseCost(64, 1, 1), random);
        try (KeyFolder restored = KeyFolder.open(folder, PASSPHRASE, KeyFolder.Access.READ, random)) {
            assertThat(restored.keys().authority()).isEqualTo(custody.use(keys -> keys.authority()));
        }
        send("/api/keys/backup", backup(2, 3, TestConsole.PASSPHRASE)).andExpect(status().isBadRequest());
        send("/api/keys/backup", backup(21, 3, TestConsole.PASSPHRASE)).andExpect(status().isBadRequest());
    }

    /** Breaks once in the middle, with nothing lost, and takes whatever comes then. */
    private static final class Breaking extends MockHttpServletResponse {
        private final ByteArrayOutputStream got = new ByteArrayOutputStream();
        private boolean isBroken;

        @Override
        public ServletOutputStream getOutputStream() {
            return new ServletOutputStream() {
                @Override
                public void write(int value) {
                    got.write(value);
                }

                @Override
                public void write(byte[] buffer, int from, int length) throws IOException {
                    got.write(buffer, from, length);
                    if (got.size() > 1000 && !isBroken) {
                        isBroken = true;
                        throw new IOException("broken");
                    }
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setWriteListener(WriteListener listener) {
                    throw new UnsupportedOperationException();
                }
            };
        }
    }

    @Test
    void aBackupThatBreaksOffIsNoZip() throws Exception {
        User kim = new User("kim", "Kim", Set.of(Role.KEEPER), Optional.empty());
        Breaking response = new Breaking();
        assertThatThrownBy(() ->
                        backups.backup(kim, new BackupController.BackupRequest(3, 2, TestConsole.PASSPHRASE), response))
                .isInstanceOf(BrokenAnswerException.class);
        assertThat(response.isCommitted()).isTrue();
        assertThat(response.got.size()).isGreaterThan(1000);
        Path received = Files.write(temporary.resolve("backup.zip"), response.got.toByteArray());
        assertThatThrownBy(() -> new ZipFile(received.toFile()).close()).isInstanceOf(ZipException.class);
    }

    @Test
    void numbersThatCannotBeAreInNoEntry() throws Exception {
        String before = backupEntries();
        send("/api/keys/backup", backup(2, 3, TestConsole.PASSPHRASE)).andExpect(status().isBadRequest());
        send("/api/keys/backup", backup(17, 3, TestConsole.PASSPHRASE)).andExpect(status().isBadRequest());
        send("/api/keys/backup", backup(3, 1, TestConsole.PASSPHRASE)).andExpect(status().isBadRequest());
        assertThat(backupEntries()).isEqualTo(before);
    }

    private String backupEntries() throws Exception {
        return http.perform(get("/api/log?kind=backup&limit=1").with(login("kim", "keeper")))
                .andExpect(status().isOk())
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    @Test
    void aLoginAloneTakesNoKeysAway() throws Exception {
        send("/api/keys/backup", "{\"shares\": 3, \"threshold\": 2}").andExpect(status().isBadRequest());
        send("/api/keys/backup", backup(3, 2, "wrong horse battery")).andExpect(status().isForbidden());
        send("/api/keys/backup", backup(3, 2, TestConsole.PASSPHRASE))
                .andExpect(status().isTooManyRequests()); // passphrases are tried slowly
        clock.advance(Duration.ofMinutes(2));
        send("/api/keys/backup", backup(3, 2, TestConsole.PASSPHRASE)).andExpect(status().isOk());
    }

    private static String backup(int shares, int threshold, String passphrase) {
        return "{\"shares\": %d, \"threshold\": %d, \"passphrase\": \"%s\"}".formatted(shares, threshold, passphrase);
    }
}
