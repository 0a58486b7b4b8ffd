package dev.veilgate.agent;

import dev.veilgate.settings.AgentKeys;
import dev.veilgate.settings.AgentSettings;
import dev.veilgate.settings.SettingOptions;
import dev.veilgate.settings.SettingsException;
import dev.veilgate.terminal.CommandFailure;
import dev.veilgate.terminal.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options of the agent's commands: the settings file, each of its keys, and sources. */
final class AgentOptions {
    private AgentOptions() {}

    static void addTo(CommandSpec spec) {
        SettingOptions.addTo(spec, AgentKeys.ALL);
        spec.addOption(OptionSpec.builder("--file")
                .paramLabel("GLOB")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("Follow these files; instead of the sources of the settings file. May be repeated.")
                .build());
        spec.addOption(SettingOptions.option("--directory", "DIR", "Follow every file of a folder; likewise."));
        spec.addOption(flag("--stdin", "Read standard input; likewise."));
        spec.addOption(flag("--journald", "Follow the journal of systemd; likewise."));
    }

    private static OptionSpec flag(String name, String help) {
        return OptionSpec.builder(name).type(boolean.class).description(help).build();
    }

    static AgentSettings settings(ParseResult parsed) throws IOException, CommandFailure {
        try {
            return AgentSettings.load(
                    SettingOptions.file(parsed), SettingOptions.values(parsed, AgentKeys.ALL), sources(parsed));
        } catch (SettingsException e) {
            throw new CommandFailure(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private static List<Map<String, List<String>>> sources(ParseResult parsed) {
        List<Map<String, List<String>>> sources = new ArrayList<>();
        List<String> files = parsed.matchedOptionValue("--file", List.of());
        if (!files.isEmpty()) {
            sources.add(Map.of(
                    "files",
                    files.stream()
                            .map(f -> Path.of(f).toAbsolutePath().toString())
                            .toList()));
        }
        String folder = parsed.matchedOptionValue("--directory", (String) null);
        if (folder != null) {
            sources.add(
                    Map.of("directory", List.of(Path.of(folder).toAbsolutePath().toString())));
        }
        if (parsed.matchedOptionValue("--stdin", false)) {
            sources.add(Map.of("stdin", List.of("true")));
        }
        if (parsed.matchedOptionValue("--journald", false)) {
            sources.add(Map.of("journald", List.of("true")));
        }
        return sources;
    }
}
