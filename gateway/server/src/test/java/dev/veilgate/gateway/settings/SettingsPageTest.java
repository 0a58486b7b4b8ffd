package dev.veilgate.gateway.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/settings-gateway.md is made from the code. After a change: {@code ./mvnw ... test -Dtest=SettingsPageTest -Dveilgate.update-docs=true}. */
class SettingsPageTest {
    private static final Path PAGE = Path.of("docs/settings-gateway.md");

    private static final String HEAD = """
            # Settings of the gateway

            Made from the code. Settings are given in a YAML file (`veilgate gateway run --config FILE`), as `KEY=VALUE` behind it, or in the environment
            (`VEILGATE_DATA_DIR` for `veilgate.data-dir`). Times are written `500ms`, `10s`, `5m`, `2h`, `7d`; sizes `64KB`, `16MB`, `4GB`. An unknown key or a
            wrong value stops the start with a message that names it. [] means a list, * a name of your own.

            Beside these, those of Spring Boot apply: `server.address` (127.0.0.1), `server.port` (8080), `server.ssl.bundle` and `spring.ssl.bundle.pem.*` for TLS,
            `management.server.port` to serve health and metrics elsewhere. `veilgate.log.format` is `text` or `json`.
            """;

    @Test
    void saysWhatTheCodeSays() throws IOException {
        String page = page();
        if (Boolean.getBoolean("veilgate.update-docs")) {
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).hasContent(page);
    }

    private static String page() throws IOException {
        TreeMap<String, List<String>> sections = new TreeMap<>();
        for (JsonNode property : metadata().get("properties")) {
            String name = property.get("name").asString();
            if (!name.startsWith("veilgate.")) {
                continue;
            }
            String[] parts = name.split("\\.");
            String section = parts.length == 2 ? "veilgate" : parts[0] + "." + parts[1];
            sections.computeIfAbsent(section, key -> new ArrayList<>()).add(row(name, property));
        }
        StringBuilder page = new StringBuilder(HEAD);
        sections.forEach((section, rows) -> {
            page.append("\n## ").append(section).append("\n\n| key | default | |\n|---|---|---|\n");
            rows.stream().sorted().forEach(page::append);
        });
        return page.toString();
    }

    private static String row(String name, JsonNode property) {
        JsonNode value = property.get("defaultValue");
        String defaultValue = value == null ? "" : "`" + value.asString().toLowerCase(Locale.ROOT) + "`";
        JsonNode description = property.get("description");
        assertThat(description).as("%s has a description", name).isNotNull();
        String text = description
                .asString()
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replaceAll("\\{@link #?([^}]*)}", "`$1`")
                .replace("|", "\\|");
        return "| `" + name + "` | " + defaultValue + " | " + text + " |\n";
    }

    private static JsonNode metadata() throws IOException {
        try (InputStream in = Objects.requireNonNull(
                GatewaySettings.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            return new JsonMapper().readTree(in);
        }
    }
}
