package dev.veilgate.application.settings;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/** What belongs below a setting: nothing but a text; settings of given names (a record); or either below names or numbers of the operator's own (a map, a list). */
record SettingsShape(Type type) {
    /** One value. */
    static final SettingsShape TEXT = new SettingsShape(String.class);

    /**
     * The shape of one setting of several.
     *
     * @param settings a record
     * @param name     in lower case, without dashes
     */
    static SettingsShape ofComponent(Class<?> settings, String name) {
        return component(settings, name).orElse(TEXT);
    }

    private static Optional<SettingsShape> component(Class<?> settings, String name) {
        return components(settings)
                .filter(each -> each.getName().toLowerCase(Locale.ROOT).equals(name))
                .findFirst()
                .map(each -> new SettingsShape(each.getGenericType()));
    }

    private static Stream<RecordComponent> components(Class<?> settings) {
        return settings.isRecord() ? Stream.of(settings.getRecordComponents()) : Stream.empty();
    }

    private Class<?> raw() {
        return type instanceof ParameterizedType of ? (Class<?>) of.getRawType() : (Class<?>) type;
    }

    /** What is below each name or number of the operator's own. */
    private SettingsShape element() {
        Type[] arguments = type instanceof ParameterizedType of ? of.getActualTypeArguments() : new Type[0];
        return arguments.length == 0 ? TEXT : new SettingsShape(arguments[arguments.length - 1]);
    }

    /** Whether there are names of the operator's own below it. */
    boolean hasOwnNames() {
        return Map.class.isAssignableFrom(raw());
    }

    private boolean isList() {
        return Collection.class.isAssignableFrom(raw());
    }

    /** Whether a text may stand there: of a list of texts it is all of them with commas between. */
    boolean takesText() {
        return isList() ? element().takesText() : !hasOwnNames() && !raw().isRecord();
    }

    /**
     * The shape of what a name names.
     *
     * @param from the first element of the name that is below this
     * @return empty if there is no such setting
     */
    Optional<SettingsShape> at(ConfigurationPropertyName name, int from) {
        if (from == name.getNumberOfElements()) {
            return Optional.of(this);
        }
        if (hasOwnNames()) {
            return element().takesText() ? Optional.of(element()) : element().at(name, from + 1);
        }
        if (isList()) {
            return name.isNumericIndex(from) ? element().at(name, from + 1) : Optional.empty();
        }
        return component(raw(), name.getElement(from, ConfigurationPropertyName.Form.UNIFORM))
                .flatMap(below -> below.at(name, from + 1));
    }

    /** How a setting below one of this shape is named. */
    String example(String name) {
        if (takesText()) {
            return name;
        }
        if (hasOwnNames()) {
            return element().example(name + "[NAME]");
        }
        if (isList()) {
            return element().example(name + "[0]");
        }
        return components(raw())
                .findFirst()
                .map(each -> new SettingsShape(each.getGenericType()).example(name + "." + dashed(each.getName())))
                .orElse(name);
    }

    private static String dashed(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
