package dev.veilgate.extract;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a record's time is indexed: by its parts {@code 2026-11}, {@code d21}, {@code t12}, {@code m2x} and {@code mx3}. A record has one time, so a minute is exactly the
 * records that have all five; and lines that are far apart share parts, where a keyword for each minute would cost them one each.
 */
final class TimeKeywords {
    private static final Pattern QUERY =
            Pattern.compile("(?:(\\d{4})-(\\d{2})|(\\d{2}))(?:-(\\d{2})(?:[t ](\\d{2})(?::(\\d)(\\d))?)?)?");

    private TimeKeywords() {}

    /** Adds the parts of a time; year 0 if it is not known. */
    static void add(int year, int month, int day, int hour, int minute, byte[] text, TokenSink sink) {
        int end = 0;
        if (year != 0) {
            end = two(year % 100, text, two(year / 100, text, 0));
        } else {
            text[end++] = '-';
        }
        text[end++] = '-';
        sink.token(TokenKind.TIME, text, 0, two(month, text, end));
        text[0] = 'd';
        sink.token(TokenKind.TIME, text, 0, two(day, text, 1));
        text[0] = 't';
        sink.token(TokenKind.TIME, text, 0, two(hour, text, 1));
        text[0] = 'm';
        text[1] = (byte) ('0' + minute / 10);
        text[2] = 'x';
        sink.token(TokenKind.TIME, text, 0, 3);
        text[1] = 'x';
        text[2] = (byte) ('0' + minute % 10);
        sink.token(TokenKind.TIME, text, 0, 3);
    }

    private static int two(int value, byte[] out, int at) {
        out[at] = (byte) ('0' + value / 10);
        out[at + 1] = (byte) ('0' + value % 10);
        return at + 2;
    }

    /** Tells if a part of a time is a month with its year, such as {@code 2026-11}. */
    static boolean isYearAndMonth(String part) {
        return part.length() == 7 && part.charAt(0) != '-';
    }

    /** Gives the part that times without a year have in the place of a month with one: {@code --11} for {@code 2026-11}. */
    static String withoutYear(String part) {
        return "-" + part.substring(4);
    }

    /** The parts of a time in folded text that names a month, day, hour or minute; none if it does not. */
    static List<String> parts(String folded) {
        Matcher time = QUERY.matcher(folded);
        List<String> parts = new ArrayList<>();
        if (!time.matches() || time.group(3) != null && time.group(4) == null) {
            return parts;
        }
        parts.add(time.group(3) == null ? time.group(1) + "-" + time.group(2) : "--" + time.group(3));
        if (time.group(4) != null) {
            parts.add("d" + time.group(4));
        }
        if (time.group(5) != null) {
            parts.add("t" + time.group(5));
        }
        if (time.group(6) != null) {
            parts.add("m" + time.group(6) + "x");
            parts.add("mx" + time.group(7));
        }
        return parts;
    }
}
