package dev.veilgate.time;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Starts a program at another time than today: its one clock goes on from an instant of the past. For data that was written then, of which some is rightly forgotten once it is old.
 *
 * <p>It knows no class of tests, so that it is all that a program's class path gets beside its own.
 */
public final class ThatTime implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    private static final String PROPERTY = "veilgate.that-time";
    private static final String FACTORIES = "META-INF/spring.factories";

    /**
     * The options of Java that start a program at a time.
     *
     * @param options with the class path behind {@code -cp}, at its end
     * @param folder  gets what is added to the class path
     */
    public static List<String> options(List<String> options, Path folder, Instant time) throws IOException {
        String own = ThatTime.class.getName().replace('.', '/') + ".class";
        Path copy = folder.resolve(own);
        Files.createDirectories(copy.getParent());
        try (InputStream in = Objects.requireNonNull(ThatTime.class.getResourceAsStream("/" + own))) {
            Files.copy(in, copy);
        }
        Path factories = folder.resolve(FACTORIES);
        Files.createDirectories(factories.getParent());
        Files.writeString(
                factories,
                ApplicationContextInitializer.class.getName() + "=" + ThatTime.class.getName(),
                StandardCharsets.ISO_8859_1);
        List<String> all = new ArrayList<>(List.of("-D" + PROPERTY + "=" + time));
        all.addAll(options);
        all.add(all.removeLast() + File.pathSeparator + folder);
        return all;
    }

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        Instant time = Instant.parse(System.getProperty(PROPERTY));
        Clock clock = Clock.offset(Clock.systemUTC(), Duration.between(Instant.now(), time));
        context.addBeanFactoryPostProcessor(factory -> {
            ((BeanDefinitionRegistry) factory).removeBeanDefinition("clock"); // fails if there is none
            factory.registerSingleton("clock", clock);
        });
    }
}
