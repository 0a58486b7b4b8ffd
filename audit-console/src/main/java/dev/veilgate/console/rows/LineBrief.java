package dev.veilgate.console.rows;

import dev.veilgate.extract.KeywordText;
import dev.veilgate.extract.log.Extraction;
import dev.veilgate.extract.log.LineParts;
import dev.veilgate.peks.Keyword;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The text of a record as a line of a table: without the time, level and sender that columns beside it say, and with
 * all else. Of JSON its message comes first, and then its other members.
 */
public final class LineBrief {
    /** Characters that are made, about. */
    public static final int MOST_CHARACTERS = 2_000;

    private static final JsonFactory JSON = new JsonFactory();
    private static final Set<String> MESSAGES = Set.of("message", "msg", "log", "text", "short_message");
    private static final Set<String> TIMES = Set.of("time", "@timestamp", "timestamp", "ts", "datetime", "date");
    private static final Set<String> LEVELS = Set.of("level", "severity", "lvl", "loglevel", "log.level");

    private static final String OF_TIMES = ":.,/+-TZ<>[]()";
    private static final String MARKS = "[](){}<>:,;|\"'";
    private static final Set<String> TIME_WORDS = Set.of(
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed",
            "thu", "fri", "sat", "sun", "utc", "gmt", "am", "pm");

    private final boolean isTimeBeside;
    private final boolean isLevelBeside;
    private final StringBuilder message = new StringBuilder();
    private final StringBuilder members = new StringBuilder();
    private boolean hasTime;
    private boolean hasLevel;

    private LineBrief(Extraction extraction) {
        isTimeBeside = isDated(extraction);
        isLevelBeside = !value(extraction, "level").isEmpty();
    }

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
        Optional<String> ofJson = text.startsWith("{") ? new LineBrief(extraction).json(line) : Optional.empty();
        return ofJson.orElseGet(() -> cut(plain(record, line, text, extraction, sender)));
    }

    private static String plain(byte[] record, byte[] line, String text, Extraction extraction, String sender) {
        int from = extraction.messageFrom();
        int to = Math.min(extraction.messageTo(), from + 4 * MOST_CHARACTERS);
        if (line != record || from <= 0 || to <= from || to > record.length) {
            return text;
        }
        String message = new String(record, from, to - from, StandardCharsets.UTF_8).strip();
        String head = new String(record, 0, Math.min(from, MOST_CHARACTERS), StandardCharsets.UTF_8);
        return head(head, extraction, sender) + message;
    }

    /** Words of a header that are not of its time, its level or the sender's name, each with a space behind it. */
    private static String head(String header, Extraction extraction, String sender) {
        StringBuilder kept = new StringBuilder();
        boolean isInTime = isDated(extraction);
        String level = value(extraction, "level");
        StringTokenizer tokens = new StringTokenizer(header);
        while (tokens.hasMoreTokens()) {
            String token = tokens.nextToken();
            isInTime = isInTime && isOfTime(token);
            String bare = bare(token);
            boolean isLevel = !level.isEmpty() && level.equals(KeywordText.level(KeywordText.fold(bare)));
            if (isLevel) {
                level = ""; // once
            } else if (!isInTime && !bare.equalsIgnoreCase(sender)) {
                kept.append(token).append(' ');
            }
        }
        return kept.toString();
    }

    private static boolean isDated(Extraction extraction) {
        return extraction.dated().isPresent() || extraction.yearless().isPresent();
    }

    /** Tells if a word may be of a time, or of what stands before it in syslog. */
    private static boolean isOfTime(String token) {
        return token.chars().allMatch(c -> c >= '0' && c <= '9' || OF_TIMES.indexOf(c) >= 0)
                || TIME_WORDS.contains(bare(token).toLowerCase(Locale.ROOT));
    }

    private static String bare(String token) {
        int begin = 0;
        int end = token.length();
        while (begin < end && MARKS.indexOf(token.charAt(begin)) >= 0) {
            begin++;
        }
        while (end > begin && MARKS.indexOf(token.charAt(end - 1)) >= 0) {
            end--;
        }
        return token.substring(begin, end);
    }

    private static String value(Extraction extraction, String field) {
        return extraction.keywords().stream()
                .filter(keyword -> keyword.field().equals(field))
                .map(Keyword::value)
                .findFirst()
                .orElse("");
    }

    /** The message and the other members of an object; none if the line is not one object and nothing else. */
    private Optional<String> json(byte[] line) {
        List<String> path = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), line)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case START_OBJECT, START_ARRAY ->
                        path.add(parser.currentName() == null ? "" : parser.currentName());
                    case END_OBJECT, END_ARRAY -> path.removeLast();
                    case PROPERTY_NAME -> {}
                    default -> member(name(path, parser.currentName()), parser.getString());
                }
                if (message.length() + members.length() > 2 * MOST_CHARACTERS) {
                    break;
                }
                if (path.isEmpty() && parser.nextToken() != null) {
                    return Optional.empty(); // something stands behind the object
                }
            }
        } catch (JacksonException e) {
            return Optional.empty(); // read as plain text
        }
        String both = message.isEmpty() ? members.toString().strip() : message.toString() + members;
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

    private void member(String name, String value) {
        String key = name.toLowerCase(Locale.ROOT);
        if (MESSAGES.contains(key) && message.isEmpty()) {
            message.append(value.strip());
        } else if (TIMES.contains(key) && isTimeBeside && !hasTime) {
            hasTime = true;
        } else if (LEVELS.contains(key) && isLevelBeside && !hasLevel) {
            hasLevel = true;
        } else {
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
