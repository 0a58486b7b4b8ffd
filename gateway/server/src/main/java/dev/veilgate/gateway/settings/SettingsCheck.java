package dev.veilgate.gateway.settings;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A setting that does not exist stops the start: a spelling mistake would otherwise leave a default in force unseen. */
@Component
class SettingsCheck {
    private static final ConfigurationPropertyName OWN = ConfigurationPropertyName.of("veilgate");
    private static final ConfigurationPropertyName LOG_FORMAT =
            OWN.append("log").append("format");

    /** Known settings; true for those with more below a name or number of the operator's own. */
    private final Map<ConfigurationPropertyName, Boolean> known = new HashMap<>();

    /** @throws IllegalArgumentException naming the key and where it stands */
    SettingsCheck(ConfigurableEnvironment environment, JsonMapper json) throws IOException {
        readKnown(json);
        for (PropertySource<?> source : environment.getPropertySources()) {
            boolean isEnvironment =
                    source.getName().equals(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
            if (source instanceof EnumerablePropertySource<?> named && !isEnvironment) {
                for (String name : named.getPropertyNames()) {
                    check(name, source.getName());
                }
            }
        }
    }

    private void readKnown(JsonMapper json) throws IOException {
        try (InputStream in = Objects.requireNonNull(
                SettingsCheck.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            for (JsonNode property : json.readTree(in).get("properties")) {
                String type = Optional.ofNullable(property.get("type"))
                        .map(JsonNode::asString)
                        .orElse("");
                known.put(
                        ConfigurationPropertyName.of(property.get("name").asString()),
                        type.startsWith("java.util.List") || type.startsWith("java.util.Map"));
            }
        }
        known.put(LOG_FORMAT, false);
    }

    private void check(String name, String where) {
        ConfigurationPropertyName adapted = ConfigurationPropertyName.adapt(name, '.');
        if (!OWN.isAncestorOf(adapted) || known.containsKey(adapted)) {
            return;
        }
        for (ConfigurationPropertyName above = adapted; above.getNumberOfElements() > 1; above = above.getParent()) {
            if (known.getOrDefault(above, false)) {
                return;
            }
        }
        throw new IllegalArgumentException(
                adapted + " (in " + where + ") is no setting; docs/settings-gateway.md lists all");
    }
}
