package dev.veilgate.console.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A setting that does not exist stops the start, before anything is opened: a spelling mistake would otherwise leave a default in force unseen. */
@Component
class SettingsCheck implements BeanFactoryPostProcessor {
    private static final ConfigurationPropertyName OWN = ConfigurationPropertyName.of("veilgate");
    private static final ConfigurationPropertyName LOG_FORMAT =
            OWN.append("log").append("format");
    /** Where other programs of ours have names of theirs, too. */
    private static final Set<String> SHARED = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    /** @throws IllegalArgumentException naming the key and where it stands */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        Map<ConfigurationPropertyName, Boolean> known = known();
        ConfigurableEnvironment environment = beans.getBean(ConfigurableEnvironment.class);
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> named && !SHARED.contains(source.getName())) {
                for (String name : named.getPropertyNames()) {
                    check(known, name, source.getName());
                }
            }
        }
    }

    /** Known settings; true for lists. */
    private static Map<ConfigurationPropertyName, Boolean> known() {
        Map<ConfigurationPropertyName, Boolean> known = new HashMap<>();
        known.put(LOG_FORMAT, false);
        String own = SettingsCheck.class.getSimpleName() + ".class";
        String here = String.valueOf(SettingsCheck.class.getResource(own));
        String root =
                here.substring(0, here.length() - SettingsCheck.class.getName().length() - ".class".length());
        try (InputStream in = URI.create(
                        root + "META-INF/spring-configuration-metadata.json") // libraries bring such files too
                .toURL()
                .openStream()) {
            for (JsonNode property : JsonMapper.shared().readTree(in).get("properties")) {
                String type = Optional.ofNullable(property.get("type"))
                        .map(JsonNode::asString)
                        .orElse("");
                known.put(
                        ConfigurationPropertyName.of(property.get("name").asString()),
                        type.startsWith("java.util.List"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return known;
    }

    private static void check(Map<ConfigurationPropertyName, Boolean> known, String name, String where) {
        ConfigurationPropertyName adapted = ConfigurationPropertyName.adapt(name, '.');
        if (!OWN.isAncestorOf(adapted) || known.containsKey(adapted)) {
            return;
        }
        for (ConfigurationPropertyName above = adapted; above.getNumberOfElements() > 1; above = above.getParent()) {
            if (known.getOrDefault(above, false)) {
                return; // what a list has below its numbers is checked where it is read
            }
        }
        throw new IllegalArgumentException(
                adapted + " (in " + where + ") is no setting; docs/settings-console.md lists all");
    }
}
