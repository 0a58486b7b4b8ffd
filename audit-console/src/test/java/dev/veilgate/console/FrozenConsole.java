package dev.veilgate.console;

import dev.veilgate.application.TestClock;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

/** A console over the data and the keys that an earlier version left, at a time soon after. */
class FrozenConsole implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    /** The version that wrote them. */
    static final String SET = "906ce34";

    /** When an approval of the set has not expired, and a request of it is not over. */
    static final Instant NOW = Instant.parse("2026-11-25T22:00:00Z");

    static final String PASSPHRASE = "frozen sample passphrase";

    /** Sets the clock of tests, which every context of them has, before anything looks at it. */
    private static final class AtThatTime implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof TestClock clock) {
                clock.advance(Duration.between(clock.instant(), NOW));
            }
            return bean;
        }
    }

    static Path set() {
        URL found = Objects.requireNonNull(FrozenConsole.class.getResource("/frozen/" + SET));
        try {
            return Path.of(found.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        try {
            Path copy = Files.createTempDirectory("veilgate-frozen-console");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> TestConsole.delete(copy)));
            FileSystemUtils.copyRecursively(set(), copy);
            TestConsole.apply(context, copy, copy, PASSPHRASE);
            context.addBeanFactoryPostProcessor(factory -> factory.addBeanPostProcessor(new AtThatTime()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
