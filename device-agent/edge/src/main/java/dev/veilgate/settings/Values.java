package dev.veilgate.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checked values of some settings: of the options, which win, else of the file, else their defaults. */
final class Values {
    private final Map<String, SettingsFile.Entry> entries;

    private Values(Map<String, SettingsFile.Entry> entries) {
        this.entries = entries;
    }

    /**
     * Reads a file that holds no lists of maps, and checks.
     *
     * @param file    null: options only
     * @param known   what may be in the file
     * @param options by key
     * @param foreign sections of other programs, which are passed over
     */
    static Values load(@Nullable Path file, List<Setting> known, Map<String, String> options, Set<String> foreign)
            throws SettingsException, IOException {
        return load(file, known, options, foreign, Map.of());
    }

    /** @param variables of the environment: a value by key, with the variable's name as its place; the file wins */
    static Values load(
            @Nullable Path file,
            List<Setting> known,
            Map<String, String> options,
            Set<String> foreign,
            Map<String, SettingsFile.Entry> variables)
            throws SettingsException, IOException {
        Map<String, SettingsFile.Entry> entries = new LinkedHashMap<>();
        if (file != null) {
            entries.putAll(
                    SettingsFile.read(file, keys(known), "", Set.of(), foreign).entries());
        }
        variables.forEach(entries::putIfAbsent);
        options.forEach((key, value) -> entries.put(key, new SettingsFile.Entry(List.of(value), "")));
        for (Setting setting : known) {
            SettingsFile.Entry entry = entries.get(setting.key());
            if (entry != null) {
                checked(setting, entry, setting.key());
            }
        }
        return new Values(entries);
    }

    static Set<String> keys(List<Setting> settings) {
        Set<String> keys = new HashSet<>();
        settings.forEach(setting -> keys.add(setting.key()));
        return keys;
    }

    /** The value of an entry, if it is one that the setting allows. */
    static String checked(Setting setting, SettingsFile.Entry entry, String key) throws SettingsException {
        for (String value : entry.values()) {
            String refusal = setting.refusal(value);
            if (!refusal.isEmpty()) {
                String name = entry.where().isEmpty() ? setting.option() : entry.where() + key;
                throw new SettingsException(name + ": " + refusal);
            }
        }
        if (setting.kind() != Setting.Kind.LIST && entry.values().size() != 1) {
            throw new SettingsException(entry.where() + key + ": must be one value");
        }
        return entry.value();
    }

    /** File and line of a key, its name and a colon; of an option, its name. */
    String place(Setting setting) {
        SettingsFile.Entry entry = entries.get(setting.key());
        return entry == null || !entry.where().isEmpty()
                ? (entry == null ? "" : entry.where()) + setting.key() + ": "
                : setting.option() + ": ";
    }

    String text(Setting setting) {
        SettingsFile.Entry entry = entries.get(setting.key());
        return entry == null ? setting.standard() : entry.value();
    }

    /** A value that must be there. */
    String needed(Setting setting) throws SettingsException {
        if (text(setting).isEmpty()) {
            throw new SettingsException(setting.key() + ": is needed, in the settings file or as " + setting.option());
        }
        return text(setting);
    }

    @Nullable
    Path path(Setting setting) {
        return text(setting).isEmpty() ? null : Path.of(text(setting));
    }

    Duration time(Setting setting) {
        return Duration.ofMillis(Quantity.millis(text(setting)));
    }

    int number(Setting setting) {
        return (int) Quantity.number(text(setting));
    }

    long bytes(Setting setting) {
        return Quantity.bytes(text(setting));
    }

    boolean isOn(Setting setting) {
        return text(setting).equalsIgnoreCase("true");
    }
}
