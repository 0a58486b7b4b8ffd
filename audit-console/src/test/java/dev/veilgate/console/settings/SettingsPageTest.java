package dev.veilgate.console.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.veilgate.application.SettingsPage;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** docs/settings-console.md is made from the code. After a change: {@code ./mvnw ... test -Dtest=SettingsPageTest -Dveilgate.update-docs=true}. */
class SettingsPageTest {
    private static final Path PAGE = Path.of("docs/settings-console.md");

    private static final String HEAD = """
            # Settings of the audit console

            Made from the code. Settings are given in a YAML file (`veilgate-console run --config FILE`), as `KEY=VALUE` behind it, or in the environment
            (`VEILGATE_DATA_DIR` for `veilgate.data-dir`). Times are written `500ms`, `10s`, `5m`, `2h`, `7d`. An unknown key or a
            wrong value stops the start with a message that names it; only in the environment an unknown one is not noticed.

            Beside these, those of Spring Boot apply: `server.address` (127.0.0.1), `server.port` (8090), `server.ssl.bundle` and `spring.ssl.bundle.pem.*` for TLS,
            `server.forward-headers-strategy=native` behind a proxy that ends TLS. `veilgate.log.format` is `text` or `json`.
            """;

    @Test
    void saysWhatTheCodeSays() throws IOException {
        assertThat(PAGE).hasContent(SettingsPage.of(PAGE, HEAD, ConsoleSettings.class));
    }
}
