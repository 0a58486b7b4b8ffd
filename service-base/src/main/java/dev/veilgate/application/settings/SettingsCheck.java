package dev.veilgate.application.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * A setting that does not exist, or a text where several settings belong, stops the start, before anything is opened: a mistake would otherwise leave a
 * default in force unseen.
 */
public final class SettingsCheck implements BeanFactoryPostProcessor {
    private static final ConfigurationPropertyName OWN = ConfigurationPropertyName.of("veilgate");
    private static final ConfigurationPropertyName LOG_FORMAT =
            OWN.append("log").append("format");
    /** Where other programs of ours have names of theirs, too. */
    private static final Set<String> SHARED = Set.of(
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private static final int OWN_NAME_OR_NUMBER = 1;

    private final String page;
    private final Map<ConfigurationPropertyName, SettingsShape> known = new HashMap<>();

    /**
     * Of an application's settings.
     *
     * @param settings a class of the module whose settings they are, whose annotation processor has listed them
     * @param page     which lists all, for the message
     */
    public SettingsCheck(Class<?> settings, String page) {
        this.page = page;
        known.put(LOG_FORMAT, SettingsShape.TEXT);
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
                var name = ConfigurationPropertyName.of(String.valueOf(fields.get("name")));
                Object source = fields.get("sourceType");
                known.put(
                        name,
                        source == null
                                ? SettingsShape.TEXT
                                : SettingsShape.ofComponent(
                                        Class.forName(String.valueOf(source), false, settings.getClassLoader()),
                                        name.getLastElement(ConfigurationPropertyName.Form.UNIFORM)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a settings class of the module is missing", e);
        }
    }

    /** @throws IllegalArgumentException naming the key and where it stands */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        ConfigurableEnvironment environment = beans.getBean(ConfigurableEnvironment.class);
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (source instanceof EnumerablePropertySource<?> named) {
                boolean shared = SHARED.contains(source.getName());
                for (String name : named.getPropertyNames()) {
                    ConfigurationPropertyName adapted = adapted(name, shared);
                    SettingsShape shape = check(adapted, source.getName(), shared);
                    if (!shape.takesText() && !isBlank(environment, named.getProperty(name))) {
                        throw new IllegalArgumentException(adapted + " (in " + source.getName()
                                + ") takes no text: write " + shape.example(adapted.toString()) + "; " + page
                                + " lists all");
                    }
                }
            }
        }
    }

    /** As an empty list or map of a YAML file is, which says that there is nothing or that all is as usual. */
    private static boolean isBlank(ConfigurableEnvironment environment, @Nullable Object value) {
        return value == null
                || environment.resolvePlaceholders(value.toString()).isBlank();
    }

    private static ConfigurationPropertyName adapted(String name, boolean shared) {
        boolean variable = shared && name.indexOf('.') < 0;
        return ConfigurationPropertyName.adapt(name, variable ? '_' : '.');
    }

    /**
     * Whether there is such a setting.
     *
     * @param shared whether what is no setting of ours may be another program's
     * @return what may stand there
     * @throws IllegalArgumentException if there is no such setting
     */
    private SettingsShape check(ConfigurationPropertyName name, String where, boolean shared) {
        if (!OWN.isAncestorOf(name)) {
            return SettingsShape.TEXT;
        }
        ConfigurationPropertyName setting = name;
        while (!setting.isEmpty() && !known.containsKey(setting)) {
            setting = setting.getParent();
        }
        int above = setting.getNumberOfElements();
        SettingsShape shape = known.getOrDefault(setting, SettingsShape.TEXT);
        Optional<SettingsShape> there = above == 0 ? Optional.empty() : shape.at(name, above);
        if (there.isEmpty() && !shared) {
            throw new IllegalArgumentException(name + " (in " + where + ") is no setting; " + page + " lists all"
                    + (isDotted(shape, name, above) ? bracketed(setting, shape) : ""));
        }
        return there.orElse(SettingsShape.TEXT);
    }

    /** Whether a name of the operator's own has more below it than there is, as {@code example.org} has unless it stands in brackets. */
    private static boolean isDotted(SettingsShape shape, ConfigurationPropertyName name, int above) {
        return shape.hasOwnNames()
                && name.getNumberOfElements() > above + OWN_NAME_OR_NUMBER
                && !name.chop(above + OWN_NAME_OR_NUMBER).isLastElementIndexed();
    }

    private static String bracketed(ConfigurationPropertyName setting, SettingsShape shape) {
        return ". A name with a dot stands in brackets: " + shape.example(setting.toString());
    }
}
