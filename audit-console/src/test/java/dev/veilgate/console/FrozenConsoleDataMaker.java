package dev.veilgate.console;

import static dev.veilgate.console.TestConsole.login;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.csrf;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.put;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import com.jayway.jsonpath.JsonPath;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFileException;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.extract.ExtractorProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.OidcLoginRequestPostProcessor;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

/**
 * Makes the set of {@link FrozenConsoleData} with a whole console. Not part of a build; lock files are to be removed when it is done:
 *
 * <pre>{@code
 * ./mvnw verify -pl audit-console -am -Dtest=FrozenConsoleDataMaker -Dsurefire.failIfNoSpecifiedTests=false -Dveilgate.frozen.make=FOLDER
 * }</pre>
 */
@SpringBootTest(classes = ConsoleApplication.class)
@AutoConfigureMockMvc
@ContextConfiguration(initializers = FrozenConsoleDataMaker.Fresh.class)
class FrozenConsoleDataMaker {
    private static final OidcLoginRequestPostProcessor ADA = login("ada", List.of("auditor"), List.of("role:auditor"));

    @Autowired
    private MockMvc http;

    /** New keys, and an empty data folder. */
    static class Fresh implements ApplicationContextInitializer<ConfigurableApplicationContext> {
        @Override
        public void initialize(ConfigurableApplicationContext context) {
            try {
                Path folder = Files.createDirectories(target());
                SecureRandom random = new SecureRandom();
                TenantKeys keys = TenantKeys.generate(
                        TestConsole.TENANT,
                        EpochPolicy.MONTHLY,
                        ExtractorProfile.defaults().encode(),
                        random,
                        Instant.now());
                KeyFolder.create(
                                folder.resolve("keys"),
                                keys,
                                FrozenConsole.PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                                new PassphraseCost(8 << 10, 3, 4),
                                random)
                        .close();
                TestConsole.apply(
                        context,
                        folder,
                        Files.createTempDirectory("veilgate-frozen-secrets"),
                        FrozenConsole.PASSPHRASE);
            } catch (IOException | KeyFileException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Path target() {
        return Path.of(System.getProperty("veilgate.frozen.make"));
    }

    private ResultActions send(String path, String body, OidcLoginRequestPostProcessor as) throws Exception {
        return http.perform(post(path)
                .with(as)
                .with(csrf())
                .contentType(MediaType.APPLICATION_JSON)
                .content(body));
    }

    private static String text(ResultActions answer) throws Exception {
        return answer.andReturn().getResponse().getContentAsString();
    }

    @Test
    void make() throws Exception {
        send(
                        "/api/saved-searches",
                        "{\"name\": \"errors\", \"query\": {\"query\": \"level:error\", \"scope\": \"plant-7\", \"senders\": [\"press-4\"]}}",
                        ADA)
                .andExpect(status().isCreated());
        String rules = text(http.perform(get("/api/rules").with(login("kim", "keeper"))));
        http.perform(
                        put("/api/rules")
                                .with(login("kim", "keeper"))
                                .with(csrf())
                                .contentType(MediaType.APPLICATION_JSON)
                                .content(
                                        rules.replaceFirst(
                                                "\"rules\":\\s*\\[",
                                                "\"rules\":[{\"name\": \"payroll is closed\", \"effect\": \"refuse\", \"scopes\": [\"payroll\"]},")))
                .andExpect(status().isOk());
        send("/api/searches", "{\"query\": \"overheated\", \"scope\": \"plant-7\"}", ADA)
                .andExpect(status().isCreated());
        String asked = text(send("/api/searches", search("salary"), ADA).andExpect(status().isAccepted()));
        send(
                        "/api/approvals/" + JsonPath.read(asked, "$.id") + "/approve",
                        "{\"reason\": \"four eyes\"}",
                        login("ben", "approver"))
                .andExpect(status().isOk());
        send("/api/searches", search("bonus"), ADA).andExpect(status().isAccepted());
        send(
                        "/api/readers/issue",
                        "{\"name\": \"carl\", \"attributes\": \"role:dpo\", \"epochs\": \"2026-11..2026-12\", \"passphrase\": \"frozen reader passphrase\"}",
                        login("kim", "keeper"))
                .andExpect(status().isOk());
        send(
                        "/api/routes",
                        "{\"name\": \"urgent\", \"query\": {\"query\": \"urgent\", \"scope\": \"mailbox-alice\"}, \"action\": \"webhook\", \"target\": \"https://siem.example.org/\"}",
                        login("oli", "operator"))
                .andExpect(status().isCreated());
        Files.write(
                target().resolve("head.vgh"),
                http.perform(get("/api/log/head").with(login("ben", "approver")))
                        .andReturn()
                        .getResponse()
                        .getContentAsByteArray());
        Files.write(
                target().resolve("bundle.vgb"),
                http.perform(get("/bundle")).andReturn().getResponse().getContentAsByteArray());
    }

    private static String search(String query) {
        return "{\"query\": \"" + query + "\", \"scope\": \"mailbox-alice\", \"reason\": \"case 12\"}";
    }
}
