package dev.veilgate.extract.log;

import dev.veilgate.extract.KeywordText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What stands before the free text of a record: ranges of its lower-case copy; an empty range for what it does not say. Used again and again. */
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

    final Timestamp time = new Timestamp();
    final Range host = new Range();
    final Range app = new Range();
    final Range pid = new Range();
    final Range structured = new Range();
    final Range message = new Range();
    boolean timed;

    @Nullable
    String level;

    void reset(int to) {
        timed = false;
        level = null;
        host.set(0, 0);
        app.set(0, 0);
        pid.set(0, 0);
        structured.set(0, 0);
        message.set(0, to);
    }

    void severity(int priority) {
        level = SEVERITIES[priority & 7];
    }

    private static Level[][] levels() {
        String[] written = {
            "trace", "finest", "finer", "verbose", "debug", "dbg", "fine", "info", "information", "informational",
                    "notice", "warn",
            "warning", "error", "err", "severe", "failure", "critical", "crit", "alert", "emergency", "emerg", "panic",
                    "fatal"
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
