package dev.veilgate.settings;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Settings as options of a command, beside {@code --config} for the settings file. */
public final class SettingOptions {
    private static final String CONFIG = "--config";

    private SettingOptions() {}

    /** Gives a command an option for the settings file and for each setting. */
    public static void addTo(CommandSpec spec, List<Setting> settings) {
        spec.addOption(
                option(CONFIG, "FILE", "Settings file (default: none; /etc/veilgate/veilgate.yaml in the service)."));
        for (Setting setting : settings) {
            boolean isSwitch = setting.kind() == Setting.Kind.SWITCH;
            String standard = setting.standard().isEmpty() || isSwitch && !isOn(setting.standard())
                    ? ""
                    : " Default: " + (isSwitch ? "yes" : setting.standard()) + ".";
            String help = setting.help() + standard;
            spec.addOption(
                    isSwitch
                            ? onOff(setting, help)
                            : option(setting.option(), setting.kind().label(), help));
        }
    }

    /** An option with a text for a value. */
    public static OptionSpec option(String name, String label, String help) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(String.class)
                .description(help.replace("%", "%%"))
                .build();
    }

    private static OptionSpec onOff(Setting setting, String help) {
        return OptionSpec.builder(setting.option())
                .type(boolean.class)
                .negatable(true)
                .defaultValue(setting.standard())
                .fallbackValue("true") // without it picocli takes --index for the opposite of its default
                .description(help)
                .build();
    }

    private static boolean isOn(String value) {
        return value.equals("true");
    }

    /** The settings file that was named; null if none. */
    public static @Nullable Path file(ParseResult parsed) {
        String file = parsed.matchedOptionValue(CONFIG, (String) null);
        return file == null ? null : Path.of(file);
    }

    /** What options were given, by key. */
    public static Map<String, String> values(ParseResult parsed, List<Setting> settings) {
        Map<String, String> values = new HashMap<>();
        for (Setting setting : settings) {
            Object value = parsed.matchedOptionValue(setting.option(), (Object) null);
            if (value != null) {
                values.put(setting.key(), value.toString());
            }
        }
        return values;
    }
}
