package dev.veilgate.console;

import dev.veilgate.application.TestClock;
import dev.veilgate.testing.FrozenSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

/** A console over the data and the keys that an earlier version left, at a time soon after. */
abstract class FrozenConsole implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    /** Each at a time at which an approval of it has not expired, and a request of it is not over. */
    static final FrozenSet FIRST = new FrozenSet("906ce34", "2026-11-25T22:00:00Z");

    static final FrozenSet SECOND = new FrozenSet("009bb538", "2026-11-29T06:00:00Z");

    static final String PASSPHRASE = "frozen sample passphrase";

    /** Sets the clock of tests, which every context of them has, before anything looks at it. */
    private record AtThatTime(Instant now) implements BeanPostProcessor {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            if (bean instanceof TestClock clock) {
                clock.advance(Duration.between(clock.instant(), now));
            }
            return bean;
        }
    }

    private final FrozenSet set;

    FrozenConsole(FrozenSet set) {
        this.set = set;
    }

    /** Over {@link #FIRST}. */
    static final class First extends FrozenConsole {
        First() {
            super(FIRST);
        }
    }

    /** Over {@link #SECOND}. */
    static final class Second extends FrozenConsole {
        Second() {
            super(SECOND);
        }
    }

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        try {
            Path copy = Files.createTempDirectory("veilgate-frozen-console");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> TestConsole.delete(copy)));
            FileSystemUtils.copyRecursively(set.path(""), copy);
            TestConsole.apply(context, copy, copy, PASSPHRASE);
            context.addBeanFactoryPostProcessor(factory -> factory.addBeanPostProcessor(new AtThatTime(set.now())));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
