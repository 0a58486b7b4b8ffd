package dev.veilgate.application;

import dev.veilgate.client.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** A page of all settings under {@code veilgate}, made from what Spring's annotation processor read in the code. */
public final class SettingsPage {
    private SettingsPage() {}

    /**
     * Makes the page, and with {@code -Dveilgate.update-docs=true} writes it, too.
     *
     * @param file     the page, from the root of the repository
     * @param head     what stands before the tables
     * @param settings a class of the module whose settings they are
     */
    public static String of(Path file, String head, Class<?> settings) throws IOException {
        TreeMap<String, List<String>> sections = new TreeMap<>();
        for (JsonObject property : metadata(settings).list("properties")) {
            String name = property.text("name");
            if (!name.startsWith("veilgate.")) {
                continue;
            }
            String[] parts = name.split("\\.");
            String section = parts.length == 2 ? "veilgate" : parts[0] + "." + parts[1];
            sections.computeIfAbsent(section, key -> new ArrayList<>()).add(row(name, property));
        }
        StringBuilder page = new StringBuilder(head);
        sections.forEach((section, rows) -> {
            page.append("\n## ").append(section).append("\n\n| key | default | |\n|---|---|---|\n");
            rows.stream().sorted().forEach(page::append);
        });
        if (Boolean.getBoolean("veilgate.update-docs")) {
            Files.writeString(file, page);
        }
        return page.toString();
    }

    private static String row(String name, JsonObject property) throws IOException {
        Object value = property.fields().get("defaultValue");
        boolean hasOne = value != null && !(value instanceof List<?> list && list.isEmpty());
        boolean isSize = property.text("type")
                .endsWith(".DataSize"); // 16MB, as operators write it; names of enums in lower case
        String defaultValue =
                hasOne ? "`" + (isSize ? value.toString() : value.toString().toLowerCase(Locale.ROOT)) + "`" : "";
        String text = property.optionalText("description")
                .orElseThrow(() -> new IllegalStateException(name + " has no description"))
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replaceAll("\\{@link #?([^}]*)}", "`$1`")
                .replace("|", "\\|");
        return "| `" + name + "` | " + defaultValue + " | " + text + " |\n";
    }

    private static JsonObject metadata(Class<?> settings) throws IOException {
        // beside the class: libraries bring such files too
        String classes =
                settings.getProtectionDomain().getCodeSource().getLocation().getPath();
        Path file = Path.of(classes, "META-INF/spring-configuration-metadata.json");
        return JsonObject.parse(Files.readAllBytes(file));
    }
}
