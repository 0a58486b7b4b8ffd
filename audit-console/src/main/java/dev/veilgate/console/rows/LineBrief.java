package dev.veilgate.console.rows;

import dev.veilgate.extract.log.Extraction;
import dev.veilgate.extract.log.LineParts;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The text of a record as a line of a table: without the time, level and host that columns beside it say. Of a line
 * with a header that is its program and its message; of JSON its message, and then its other members.
 */
public final class LineBrief {
    /** Characters that are made, about. */
    public static final int MOST_CHARACTERS = 2_000;

    private static final JsonFactory JSON = new JsonFactory();
    private static final int MOST_DEPTH = 8;
    private static final Set<String> MESSAGES = Set.of("message", "msg", "log", "text", "short_message");
    private static final Set<String> SHOWN_BESIDE = Set.of(
            "time",
            "@timestamp",
            "timestamp",
            "ts",
            "datetime",
            "date",
            "level",
            "severity",
            "lvl",
            "loglevel",
            "log.level",
            "@version");

    private LineBrief() {}

    /**
     * The line of a record.
     *
     * @param record     as it was opened
     * @param extraction of it
     * @param sender     which is a column, so that a host of this name is not said again
     */
    public static String of(byte[] record, Extraction extraction, String sender) {
        byte[] line = LineParts.line(record);
        String text = new String(line, 0, Math.min(line.length, 4 * MOST_CHARACTERS), StandardCharsets.UTF_8);
        Optional<String> ofJson = text.startsWith("{") ? json(line) : Optional.empty();
        return ofJson.orElseGet(() -> cut(plain(record, line, text, extraction, sender)));
    }

    private static String plain(byte[] record, byte[] line, String text, Extraction extraction, String sender) {
        int from = extraction.messageFrom();
        int to = Math.min(extraction.messageTo(), from + 4 * MOST_CHARACTERS);
        if (line != record || from <= 0 || to <= from || to > record.length) {
            return text;
        }
        String message = new String(record, from, to - from, StandardCharsets.UTF_8).strip();
        String host = value(extraction, "host");
        String head = (host.isEmpty() || host.equalsIgnoreCase(sender) ? "" : host + " ") + program(extraction);
        return head.isEmpty() ? message : head.strip() + ": " + message;
    }

    private static String program(Extraction extraction) {
        String app = value(extraction, "app");
        Optional<String> pid = extraction.keywords().stream()
                .filter(keyword -> keyword.field().equals("pid") && !keyword.isInterval())
                .map(Keyword::value)
                .findFirst();
        return app.isEmpty() ? "" : app + pid.map(number -> "[" + number + "]").orElse("");
    }

    private static String value(Extraction extraction, String field) {
        return extraction.keywords().stream()
                .filter(keyword -> keyword.field().equals(field))
                .map(Keyword::value)
                .findFirst()
                .orElse("");
    }

    /** The message and the other members of an object; none if it is none. */
    private static Optional<String> json(byte[] line) {
        StringBuilder message = new StringBuilder();
        StringBuilder members = new StringBuilder();
        List<String> path = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (message.length() + members.length() > 2 * MOST_CHARACTERS) {
                    break;
                }
                switch (token) {
                    case START_OBJECT, START_ARRAY ->
                        path.add(parser.currentName() == null ? "" : parser.currentName());
                    case END_OBJECT, END_ARRAY -> path.removeLast();
                    case PROPERTY_NAME -> {}
                    default -> member(name(path, parser.currentName()), parser.getString(), message, members);
                }
                if (path.size() > MOST_DEPTH || path.isEmpty()) {
                    break;
                }
            }
        } catch (JacksonException e) {
            return Optional.empty(); // read as plain text
        }
        String both = message.isEmpty() ? members.toString().strip() : message + members.toString();
        return both.isBlank() ? Optional.empty() : Optional.of(cut(both));
    }

    private static String name(List<String> path, String own) {
        StringBuilder name = new StringBuilder();
        for (String part : path) {
            if (!part.isEmpty()) {
                name.append(part).append('.');
            }
        }
        return own == null
                ? name.substring(0, Math.max(0, name.length() - 1))
                : name.append(own).toString();
    }

    private static void member(String name, String value, StringBuilder message, StringBuilder members) {
        String key = name.toLowerCase(Locale.ROOT);
        if (MESSAGES.contains(key) && message.isEmpty()) {
            message.append(value.strip());
        } else if (!SHOWN_BESIDE.contains(key)) {
            boolean isPlain = !value.isEmpty() && value.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=');
            members.append("  ").append(name).append('=').append(isPlain ? value : '"' + value + '"');
        }
    }

    private static String cut(String text) {
        if (text.length() <= MOST_CHARACTERS) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MOST_CHARACTERS - 1)) ? MOST_CHARACTERS - 1 : MOST_CHARACTERS;
        return text.substring(0, end);
    }
}
