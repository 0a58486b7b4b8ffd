package dev.veilgate.extract.log;

import dev.veilgate.extract.KeywordText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What stands before the free text of a record: ranges of its lower-case copy; an empty range for what it does not
 * say. Used again and again.
 */
final class Header {
    /** A range of the record. */
    static final class Range {
        int from;
        int to;

        void set(int from, int to) {
            this.from = from;
            this.to = to;
        }

        boolean isEmpty() {
            return from >= to;
        }
    }

    /** Levels of syslog's severities 0 to 7. */
    private static final String[] SEVERITIES = {
        "emergency", "alert", "critical", "error", "warn", "notice", "info", "debug"
    };

    /** A level as written and its common name. */
    private record Level(byte[] written, String name) {}

    private static final Level[][] LEVELS = levels();
    private static final int LONGEST_KEY = 10;

    /** Most fields that a header of rules 2 has beside those of all headers. */
    private static final int MOST_NAMED = 6;

    final Timestamp time;
    final Timestamp again;
    final Range host = new Range();
    final Range app = new Range();
    final Range pid = new Range();
    final Range structured = new Range();
    final Range message = new Range();
    final String[] names = new String[MOST_NAMED];
    final Range[] values = new Range[MOST_NAMED];
    int namedCount;
    boolean timed;

    /** Whether the level is that of a priority, which another program may have given. */
    boolean isOfPriority;

    @Nullable
    String level;

    /** @param further whether the times that rules 2 read beside the usual ones are times */
    Header(boolean further) {
        time = new Timestamp(further);
        again = new Timestamp(further);
    }

    void reset(int to) {
        timed = false;
        namedCount = 0;
        isOfPriority = false;
        level = null;
        host.set(0, 0);
        app.set(0, 0);
        pid.set(0, 0);
        structured.set(0, 0);
        message.set(0, to);
    }

    /** Another field of the header, of rules 2 alone. */
    void named(String name, int from, int to) {
        if (namedCount < MOST_NAMED && from < to) {
            Range value = new Range();
            value.set(from, to);
            names[namedCount] = name;
            values[namedCount++] = value;
        }
    }

    void severity(int priority) {
        isOfPriority = true;
        level = SEVERITIES[priority & 7];
    }

    private static Level[][] levels() {
        String[] written = {
            "trace",
            "finest",
            "finer",
            "verbose",
            "debug",
            "dbg",
            "fine",
            "info",
            "information",
            "informational",
            "notice",
            "warn",
            "warning",
            "error",
            "err",
            "severe",
            "failure",
            "critical",
            "crit",
            "alert",
            "emergency",
            "emerg",
            "panic",
            "fatal",
            "trc",
            "trce",
            "vrb",
            "debu",
            "dbug",
            "inf",
            "wrn",
            "erro",
            "eror",
            "ftl",
            "fata"
        };
        Level[][] byLetter = new Level[26][0];
        for (String level : written) {
            int letter = level.charAt(0) - 'a';
            Level[] longer = Arrays.copyOf(byLetter[letter], byLetter[letter].length + 1);
            longer[longer.length - 1] = new Level(level.getBytes(StandardCharsets.US_ASCII), KeywordText.level(level));
            byLetter[letter] = longer;
        }
        return byLetter;
    }

    /** The common name of the level written here, or null. */
    static @Nullable String levelOf(byte[] lower, int from, int to) {
        if (to - from < 3 || to - from > 13 || lower[from] < 'a' || lower[from] > 'z') {
            return null;
        }
        for (Level level : LEVELS[lower[from] - 'a']) {
            if (Arrays.equals(level.written, 0, level.written.length, lower, from, to)) {
                return level.name;
            }
        }
        return null;
    }

    /**
     * The common name of the level in a column, with what may be around it, or null: {@code INFO}, {@code [INFO]},
     * {@code INFO:}, {@code level=info}; {@code [core:error]} of Apache,
     * {@code local.ERROR:} of frameworks, whose channel is before it.
     */
    static @Nullable String levelOfColumn(byte[] lower, int from, int to) {
        int first = from;
        while (first < to
                && (lower[first] == '[' || lower[first] == '(' || lower[first] == '<' || lower[first] == '*')) {
            first++;
        }
        int last = withoutCounter(lower, first, to);
        while (last > first && isBehindLevel(lower[last - 1])) {
            last--;
        }
        String level = levelOf(lower, first, last);
        if (level != null) {
            return level;
        }
        int equals = Columns.find(lower, '=', first, last, LONGEST_KEY);
        if (equals > 0) {
            return isLevelKey(lower, first, equals) ? levelOf(lower, equals + 1, last) : null;
        }
        boolean bracket = first > from && last < to && lower[last] == ']';
        boolean colon = first == from && last + 1 == to && lower[last] == ':';
        int channel = last;
        while (channel > first && lower[channel - 1] >= 'a' && lower[channel - 1] <= 'z') {
            channel--;
        }
        boolean thread = last + 2 == to
                && lower[last] == ']'
                && lower[last + 1] == ':'
                && lower[Math.max(first, channel - 1)] == '/';
        boolean joined = channel > first + 1
                && (thread || bracket && lower[channel - 1] == ':' || colon && lower[channel - 1] == '.');
        return joined ? levelOf(lower, channel, last) : inBrackets(lower, first, last);
    }

    /** {@code ERRO[0012]}: without the seconds since the beginning. */
    private static int withoutCounter(byte[] lower, int from, int to) {
        int open = Columns.find(lower, '[', from, to, LONGEST_KEY);
        return open > from && lower[to - 1] == ']' && Columns.isDigits(lower, open + 1, to - 1) ? open : to;
    }

    /** {@code 159][error][pump}: one of several, each in brackets. */
    private static @Nullable String inBrackets(byte[] lower, int from, int to) {
        int at = from;
        while (at < to) {
            int end = Columns.find(lower, ']', at, to, to - at);
            int behind = end < 0 ? to : end;
            String level = end < 0 && at == from ? null : levelOf(lower, at, behind);
            if (level != null) {
                return level;
            }
            at = behind + 2;
        }
        return null;
    }

    private static boolean isBehindLevel(byte b) {
        return b == '*' || b == ']' || b == ':' || b == ',' || b == ')' || b == '>';
    }

    private static boolean isLevelKey(byte[] b, int from, int to) {
        return switch (to - from) {
            case 3 -> b[from] == 'l' && b[from + 1] == 'v' && b[from + 2] == 'l';
            case 5 -> b[from] == 'l' && b[from + 1] == 'e' && b[from + 4] == 'l';
            case 8 -> b[from] == 's' && b[from + 1] == 'e' && b[from + 7] == 'y';
            default -> false;
        };
    }

    /** The level of a single letter, as Android has it, or null. */
    static @Nullable String levelOfLetter(byte letter) {
        return switch (letter) {
            case 'v' -> "trace";
            case 'd' -> "debug";
            case 'i' -> "info";
            case 'w' -> "warn";
            case 'e' -> "error";
            case 'f', 'a' -> "fatal";
            default -> null;
        };
    }
}
