package dev.veilgate.application;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.veilgate.application.settings.SettingsCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

/** Who misspells a setting of an application is told so. */
public abstract class SettingsCheckContract {
    private static final String FILE = "sample.yaml";

    private final SettingsCheck settings;
    private final String page;
    private final Path sample;

    /**
     * Of an application.
     *
     * @param settings as it has it
     * @param page     of all settings, as the message names it
     * @param sample   of its settings, which is delivered with it
     */
    protected SettingsCheckContract(SettingsCheck settings, String page, Path sample) {
        this.settings = settings;
        this.page = page;
        this.sample = sample;
    }

    /** Names that are nearly ones of settings. */
    protected abstract List<String> misspelled();

    /** Names of settings, in more than one writing, and of what is not the application's own. */
    protected abstract List<String> right();

    private void check(PropertySource<?> source) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(source);
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("environment", environment);
        settings.postProcessBeanFactory(beans);
    }

    private void check(String key) {
        check(new MapPropertySource(FILE, Map.of(key, "x")));
    }

    @Test
    void refusesWhatDoesNotExist() {
        for (String key : misspelled()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> check(key))
                    .withMessage(key + " (in " + FILE + ") is no setting; " + page + " lists all");
        }
    }

    @Test
    void takesEachSettingInEveryWriting() {
        for (String key : right()) {
            assertThatCode(() -> check(key)).as(key).doesNotThrowAnyException();
        }
    }

    @Test
    void takesTheSampleFile() throws IOException {
        for (PropertySource<?> source : new YamlPropertySourceLoader().load(FILE, new FileSystemResource(sample))) {
            assertThatCode(() -> check(source)).doesNotThrowAnyException();
        }
    }
}
