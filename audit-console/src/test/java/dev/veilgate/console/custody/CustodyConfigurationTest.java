package dev.veilgate.console.custody;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.veilgate.application.TestClock;
import dev.veilgate.authority.EpochPolicy;
import dev.veilgate.authority.KeyFolder;
import dev.veilgate.authority.PassphraseCost;
import dev.veilgate.authority.TenantKeys;
import dev.veilgate.console.settings.ConsoleSettings;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The console has its keys from its start, or from a keeper, to its end. */
class CustodyConfigurationTest {
    private static final String PASSPHRASE = "correct horse battery";

    @TempDir
    private Path temporary;

    @BeforeEach
    void makeKeys() throws Exception {
        SecureRandom random = new SecureRandom();
        TenantKeys keys = TenantKeys.generate(
                "acme",
                EpochPolicy.MONTHLY,
                new byte[] {1},
                random,
                Clock.systemUTC().instant());
        KeyFolder.create(
                        temporary.resolve("keys"),
                        keys,
                        PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                        new PassphraseCost(64, 1, 1),
                        random)
                .close();
    }

    private AnnotationConfigApplicationContext started(Path folder, @Nullable Path passphraseFile) {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.registerBean(Clock.class, TestClock::new);
        context.registerBean(TaskScheduler.class, () -> {
            ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
            scheduler.initialize();
            return scheduler;
        });
        context.registerBean(
                ConsoleSettings.class,
                () -> new ConsoleSettings(
                        temporary.resolve("data"),
                        URI.create("http://localhost:8090"),
                        Duration.ofMinutes(30),
                        Duration.ofHours(12)));
        context.registerBean(
                ConsoleSettings.KeySettings.class, () -> new ConsoleSettings.KeySettings(folder, passphraseFile));
        context.register(CustodyConfiguration.class);
        try {
            context.refresh();
            return context;
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private Path passphrase(String text) throws Exception {
        return Files.writeString(temporary.resolve("passphrase"), text + "\nanother line\n");
    }

    @Test
    void keysAreErasedWhenTheConsoleStops() throws Exception {
        Custody custody;
        TenantKeys kept;
        try (AnnotationConfigApplicationContext context = started(temporary.resolve("keys"), passphrase(PASSPHRASE))) {
            custody = context.getBean(Custody.class);
            assertThat(custody.tenant()).isEqualTo("acme");
            kept = custody.use(keys -> keys);
        }
        assertThat(custody.isLocked()).isTrue();
        CustodyTest.assertErased(kept);
        KeyFolder.open( // nobody holds it any more
                        temporary.resolve("keys"),
                        PASSPHRASE.getBytes(StandardCharsets.UTF_8),
                        KeyFolder.Access.CHANGE,
                        new SecureRandom())
                .close();
    }

    @Test
    void withoutAPassphraseFileTheyWaitForAKeeper() {
        try (AnnotationConfigApplicationContext context = started(temporary.resolve("keys"), null)) {
            assertThat(context.getBean(Custody.class).isLocked()).isTrue();
        }
    }

    @Test
    void whatKeepsItFromTheKeysIsSaidAtTheStart() throws Exception {
        Path keys = temporary.resolve("keys");
        Path none = temporary.resolve("none");
        assertThatThrownBy(() -> started(none, null)).rootCause().hasMessageContaining("there are no keys in " + none);
        assertThatThrownBy(() -> started(keys, none)).rootCause().hasMessageContaining(none + " (veilgate.keys.");
        Path wrong = passphrase("wrong horse battery");
        assertThatThrownBy(() -> started(keys, wrong))
                .rootCause()
                .hasMessageContaining("passphrase")
                .hasMessageNotContaining("horse");
    }
}
