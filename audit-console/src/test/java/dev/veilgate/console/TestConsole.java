package dev.veilgate.console;

import dev.veilgate.abe.policy.Policy;
import dev.veilgate.abe.policy.PolicySyntaxException;
import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.SearchScheme;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.extract.ExtractorProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.OidcLoginRequestPostProcessor;
import org.springframework.util.FileSystemUtils;

/** Folders and settings of {@link ConsoleTest}. */
public class TestConsole implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    /** Opens the keys. */
    public static final String PASSPHRASE = "correct horse battery";

    /** Whose keys they are. */
    public static final String TENANT = "acme";

    /** Property of a test in which searches are rechecked: how many envelopes each draws. */
    public static final String RECHECKED = "test.rechecked";

    /** Who searches where keywords are sealed for searchers by attributes. */
    public static final String INDEX_POLICY = "role:auditor AND site:plant-7";

    private static final PassphraseCost CHEAP = new PassphraseCost(64, 1, 1);

    /** With an index for searchers by attributes. */
    static final class SearchedByAttributes extends TestConsole {
        @Override
        SearchScheme scheme() throws PolicySyntaxException {
            return new SearchScheme("cp-zxa14", Optional.of(Policy.parse(INDEX_POLICY)));
        }
    }

    /** What keywords are sealed with. */
    SearchScheme scheme() throws PolicySyntaxException {
        return SearchScheme.DEFAULT;
    }

    /** What is other than in production. */
    @Configuration(proxyBeanMethods = false)
    static class Beans {
        @Bean
        @Primary
        TestClock testClock() {
            return new TestClock();
        }
    }

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        try {
            Path folder = Files.createTempDirectory("veilgate-console-test");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
            SecureRandom random = new SecureRandom();
            TenantKeys keys = TenantKeys.generate(
                    TENANT,
                    scheme(),
                    EpochPolicy.MONTHLY,
                    ExtractorProfile.defaults().encode(),
                    List.of(),
                    random,
                    Instant.now());
            KeyFolder.create(folder.resolve("keys"), keys, PASSPHRASE.getBytes(StandardCharsets.UTF_8), CHEAP, random)
                    .close();
            apply(context, folder, folder, PASSPHRASE);
            TestPropertyValues.of("veilgate.recheck.envelopes="
                            + context.getEnvironment().getProperty(RECHECKED, "0"))
                    .applyTo(context);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Settings of a console in front of {@link StubGateway}.
     *
     * @param folder  has the folders {@code data} and {@code keys}
     * @param secrets for the files that an operator keeps elsewhere
     */
    static void apply(ConfigurableApplicationContext context, Path folder, Path secrets, String opensKeys)
            throws IOException {
        Path passphrase = Files.writeString(secrets.resolve("passphrase"), opensKeys + "\n");
        Path token = Files.writeString(secrets.resolve("token"), "token\n");
        TestPropertyValues.of(
                        "veilgate.data-dir=" + folder.resolve("data"),
                        "veilgate.keys.folder=" + folder.resolve("keys"),
                        "veilgate.keys.passphrase-file=" + passphrase,
                        "veilgate.gateway.url=" + StubGateway.start(),
                        "veilgate.gateway.token-file=" + token)
                .applyTo(context);
    }

    static void delete(Path folder) {
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            System.err.println(folder + " was left behind: " + e);
        }
    }

    /** A login as the provider tells of it. */
    public static OidcLoginRequestPostProcessor login(String user, List<String> roles, List<String> attributes) {
        return SecurityMockMvcRequestPostProcessors.oidcLogin()
                .idToken(token -> token.claim("preferred_username", user)
                        .claim("roles", roles)
                        .claim("veilgate_attributes", attributes));
    }

    /** A login without attributes. */
    public static OidcLoginRequestPostProcessor login(String user, String... roles) {
        return login(user, List.of(roles), List.of());
    }
}
