package dev.veilgate.application.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/** A setting that does not exist stops the start, before anything is opened: a spelling mistake would otherwise leave a default in force unseen. */
public final class SettingsCheck implements BeanFactoryPostProcessor {
    private static final ConfigurationPropertyName OWN = ConfigurationPropertyName.of("veilgate");
    private static final ConfigurationPropertyName LOG_FORMAT =
            OWN.append("log").append("format");
    /** Where other programs of ours have names of theirs, too. */
    private static final Set<String> SHARED = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private final String page;
    /** True for those with more below a name or number of the operator's own. */
    private final Map<ConfigurationPropertyName, Boolean> known = new HashMap<>();

    /**
     * Of an application's settings.
     *
     * @param settings a class of the module whose settings they are, whose annotation processor has listed them
     * @param page     which lists all, for the message
     */
    public SettingsCheck(Class<?> settings, String page) {
        this.page = page;
        known.put(LOG_FORMAT, false);
        String file = settings.getName().replace('.', '/') + ".class";
        String here = String.valueOf(settings.getResource("/" + file));
        // beside the class: libraries bring such files too
        URI list = URI.create(
                here.substring(0, here.length() - file.length()) + "META-INF/spring-configuration-metadata.json");
        try (InputStream in = list.toURL().openStream()) {
            Map<String, Object> metadata =
                    JsonParserFactory.getJsonParser().parseMap(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            for (Object property : (List<?>) metadata.getOrDefault("properties", List.of())) {
                Map<?, ?> fields = (Map<?, ?>) property;
                String type = String.valueOf(fields.get("type"));
                known.put(
                        ConfigurationPropertyName.of(String.valueOf(fields.get("name"))),
                        type.startsWith("java.util.List") || type.startsWith("java.util.Map"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws IllegalArgumentException naming the key and where it stands */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        ConfigurableEnvironment environment = beans.getBean(ConfigurableEnvironment.class);
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> named && !SHARED.contains(source.getName())) {
                for (String name : named.getPropertyNames()) {
                    check(name, source.getName());
                }
            }
        }
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
        throw new IllegalArgumentException(adapted + " (in " + where + ") is no setting; " + page + " lists all");
    }
}
