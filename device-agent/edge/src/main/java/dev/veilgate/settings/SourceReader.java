package dev.veilgate.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Makes one source of its keys. */
final class SourceReader {
    private SourceReader() {}

    static SourceSettings source(
            Map<String, SettingsFile.Entry> item, Map<String, String> own, String scope, String readers, String links)
            throws SettingsException {
        List<String> kinds = Stream.of("files", "directory", "stdin", "journald")
                .filter(key -> item.containsKey(key) && !"false".equals(own.get(key)))
                .toList();
        String where = item.values().stream()
                .findFirst()
                .map(SettingsFile.Entry::where)
                .orElse("");
        if (kinds.size() != 1) {
            throw new SettingsException(
                    where + AgentKeys.SOURCES + ": each item has one of files, directory, stdin, journald");
        }
        String ownScope = own.getOrDefault("scope", "");
        if (ownScope.isEmpty() && scope.isEmpty()) {
            throw new SettingsException(where + "agent.scope: is needed, here or for each source");
        }
        String ownLinks = own.getOrDefault("links", "");
        String ownReaders = own.getOrDefault("readers", "");
        Readers.check(where + AgentKeys.SOURCES + ".readers", ownReaders);
        List<String> patterns = patterns(kinds.getFirst(), item, own);
        for (String pattern : patterns) {
            if (!pattern.startsWith("/")) {
                throw new SettingsException(where + AgentKeys.SOURCES + ": paths must be absolute");
            }
        }
        return new SourceSettings(
                switch (kinds.getFirst()) {
                    case "stdin" -> SourceSettings.Kind.STDIN;
                    case "journald" -> SourceSettings.Kind.JOURNALD;
                    default -> SourceSettings.Kind.FILES;
                },
                patterns,
                item.containsKey("exclude") ? item.get("exclude").values() : SourceSettings.COMPRESSED,
                item.containsKey("match") ? item.get("match").values() : List.of(),
                own.getOrDefault("journalctl", "journalctl"),
                ownScope.isEmpty() ? scope : ownScope,
                own.getOrDefault("format", "auto"),
                own.getOrDefault("media-type", "text/plain"),
                "end".equals(own.get("from")),
                ownReaders.isEmpty() ? readers : ownReaders,
                SourceSettings.Links.of(ownLinks.isEmpty() ? links : ownLinks));
    }

    private static List<String> patterns(String kind, Map<String, SettingsFile.Entry> item, Map<String, String> own) {
        List<String> patterns = new ArrayList<>();
        if (kind.equals("files")) {
            patterns.addAll(Objects.requireNonNull(item.get("files")).values()); // it is what the kind is told by
        } else if (kind.equals("directory")) {
            String folder = own.getOrDefault("directory", "").replaceAll("(?<!/)/+$", "");
            patterns.add(folder + "/*");
            if ("true".equals(own.get("recursive"))) {
                patterns.add(folder + "/**");
            }
        }
        return patterns;
    }
}
