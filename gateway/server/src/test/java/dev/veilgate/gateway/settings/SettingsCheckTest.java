package dev.veilgate.gateway.settings;

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
        check(new MapPropertySource("gateway.yaml", Map.of(key, "x")));
    }

    @Test
    void refusesWhatDoesNotExist() {
        for (String key : new String[] {"veilgate.search.grant", "veilgate.smpt.domains", "veilgate.data-dir.x"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> check(key))
                    .withMessage(key + " (in gateway.yaml) is no setting; docs/settings-gateway.md lists all");
        }
    }

    @Test
    void takesEachSettingInEveryWriting() {
        for (String key : new String[] {
            "veilgate.data-dir",
            "veilgate.dataDir",
            "veilgate.search.grants",
            "veilgate.smtp.listeners[0].tls",
            "veilgate.smtp.domains[example.org].plain",
            "veilgate.log.format",
            "server.port"
        }) {
            assertThatCode(() -> check(key)).as(key).doesNotThrowAnyException();
        }
    }

    @Test
    void takesTheSampleFile() throws IOException {
        FileSystemResource sample = new FileSystemResource(Path.of("gateway/server/src/main/dist/gateway.yaml"));
        for (PropertySource<?> source : new YamlPropertySourceLoader().load("gateway.yaml", sample)) {
            assertThatCode(() -> check(source)).doesNotThrowAnyException();
        }
    }
}
