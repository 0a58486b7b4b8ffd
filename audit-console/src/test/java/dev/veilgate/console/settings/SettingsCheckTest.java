package dev.veilgate.console.settings;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.FileSystemResource;

/** Who misspells a setting is told so. */
class SettingsCheckTest {
    private static void check(PropertySource<?> source) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(source);
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("environment", environment);
        SettingsConfiguration.settingsCheck().postProcessBeanFactory(beans);
    }

    private static void check(String key) {
        check(new MapPropertySource("console.yaml", Map.of(key, "x")));
    }

    @Test
    void refusesWhatDoesNotExist() {
        for (String key : new String[] {
            "veilgate.search.max-row",
            "veilgate.login.isuer",
            "veilgate.serch.kept",
            "veilgate.data-dir.x",
            "veilgate.urls"
        }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> check(key))
                    .withMessage(key + " (in console.yaml) is no setting; docs/settings-console.md lists all");
        }
    }

    @Test
    void takesEachSettingInEveryWriting() {
        for (String key : new String[] {
            "veilgate.data-dir",
            "veilgate.dataDir",
            "veilgate.search.max-rows",
            "veilgate.login.users[0].display-name",
            "veilgate.log.format",
            "server.port",
            "veilgated.x"
        }) {
            assertThatCode(() -> check(key)).as(key).doesNotThrowAnyException();
        }
    }

    @Test
    void takesTheSampleFile() throws IOException {
        FileSystemResource sample = new FileSystemResource(Path.of("audit-console/src/main/dist/console.yaml"));
        for (PropertySource<?> source : new YamlPropertySourceLoader().load("console.yaml", sample)) {
            assertThatCode(() -> check(source)).doesNotThrowAnyException();
        }
    }
}
