package dev.veilgate.extract.log;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A clock at the beginning of a line whose date nobody can read, or that has none: {@code [12:23:01]}, {@code 21/11/2026 12:23:01 PM}. It tells where a level may be, not when something was. */
final class Clock {
    private static final int COLUMNS = 6;
    private static final Set<String> OF_DATES = Set.of(
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "mon", "tue", "wed",
            "thu", "fri", "sat", "sun", "-");
    private static final Set<String> BEHIND = Set.of("am", "pm", "utc", "gmt", "utc]", "gmt]", "am]", "pm]", "-", ":");

    private Clock() {}

    /** Behind the clock and what belongs to it; -1 if the line does not begin with one. */
    static int end(byte[] lower, int from, int to) {
        int at = from;
        for (int column = 0; column < COLUMNS && at < to; column++) {
            int end = Columns.end(lower, at, to);
            int next = Columns.pastSpaces(lower, end, to);
            if (isClock(lower, at, end)) {
                return behind(lower, next, to);
            }
            if (!isOfDate(lower, at, end)) {
                return -1;
            }
            at = next;
        }
        return -1;
    }

    /** Of Redis, whose lines begin with the process and its role: {@code 159:M 21 Nov 2026 12:23:01.123 # text}. */
    static @Nullable String mark(byte[] lower, int from, int clock, int to) {
        int colon = Columns.find(lower, ':', from, clock, 11);
        boolean isRedis = colon > from
                && Columns.isDigits(lower, from, colon)
                && colon + 2 < clock
                && lower[colon + 1] >= 'a'
                && lower[colon + 1] <= 'z'
                && Columns.isSpace(lower[colon + 2]);
        if (!isRedis || clock + 1 >= to || !Columns.isSpace(lower[clock + 1])) {
            return null;
        }
        return switch (lower[clock]) {
            case '#' -> "warn";
            case '*' -> "notice";
            default -> null;
        };
    }

    private static int behind(byte[] lower, int from, int to) {
        int at = from;
        for (int column = 0; column < 2 && at < to; column++) {
            int end = Columns.end(lower, at, Math.min(to, at + 8));
            boolean isYear = end - at == 4 && Columns.isDigits(lower, at, end);
            boolean isOffset = end - at > 3 && (lower[at] == '+' || lower[at] == '-') && isDigit(lower[at + 1]);
            if (!isYear && !isOffset && !BEHIND.contains(text(lower, at, end))) {
                return at;
            }
            at = Columns.pastSpaces(lower, end, to);
        }
        return at;
    }

    /** {@code 12:23}, {@code [12:23:01.123]}, {@code 12:23pm}. */
    private static boolean isClock(byte[] lower, int from, int to) {
        int at = from < to && (lower[from] == '[' || lower[from] == '(') ? from + 1 : from;
        int colon = Columns.find(lower, ':', at, to, 3);
        return colon > at
                && Columns.isDigits(lower, at, colon)
                && colon + 2 < to
                && Columns.isDigits(lower, colon + 1, colon + 3)
                && (colon + 3 == to || ":]),apz.".indexOf(lower[colon + 3]) >= 0);
    }

    private static boolean isOfDate(byte[] lower, int from, int to) {
        if (to - from > 24) {
            return false;
        }
        boolean isBracket = lower[from] == '[' && lower[to - 1] == ']';
        return isBracket
                || isDigit(lower[from])
                || lower[from] == '[' && from + 1 < to && isDigit(lower[from + 1])
                || OF_DATES.contains(text(lower, from, to));
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static String text(byte[] lower, int from, int to) {
        return new String(lower, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
