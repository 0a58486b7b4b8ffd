package dev.veilgate.extract.log;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.Year;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Dates and zones beyond those of {@link Timestamp}'s usual forms, which rules 2 read, from lower-case text. Holds what
 * was read last; for one thread.
 *
 * <p>Of a date of three numbers with slashes the first is the month unless it cannot be, of one with points or hyphens
 * the day; a year of two digits is 1970 to 2069.
 */
final class FurtherTimes {
    private static final List<String> MONTHS = List.of(
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december");
    private static final List<String> WEEKDAYS =
            List.of("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday");
    private static final byte[] YEAR_SIGN = "\u5e74".getBytes(StandardCharsets.UTF_8);
    private static final byte[] MONTH_SIGN = "\u6708".getBytes(StandardCharsets.UTF_8);
    private static final byte[] DAY_SIGN = "\u65e5".getBytes(StandardCharsets.UTF_8);
    private static final int LONGEST_ZONE = 5;
    private static final int LONGEST_REGION = 40;
    private static final int FIRST_OF_LAST_CENTURY = 70;
    private static final int HOUR = 3600;

    /** Hours east of Greenwich, for names that are used for one zone alone, or nearly so. */
    private static final Map<String, Integer> ZONES = Map.ofEntries(
            Map.entry("utc", 0),
            Map.entry("gmt", 0),
            Map.entry("ut", 0),
            Map.entry("wet", 0),
            Map.entry("west", 1),
            Map.entry("cet", 1),
            Map.entry("mez", 1),
            Map.entry("cest", 2),
            Map.entry("mesz", 2),
            Map.entry("eet", 2),
            Map.entry("eest", 3),
            Map.entry("msk", 3),
            Map.entry("jst", 9),
            Map.entry("kst", 9),
            Map.entry("aest", 10),
            Map.entry("aedt", 11),
            Map.entry("nzst", 12),
            Map.entry("nzdt", 13),
            Map.entry("est", -5),
            Map.entry("edt", -4),
            Map.entry("cst", -6),
            Map.entry("cdt", -5),
            Map.entry("mst", -7),
            Map.entry("mdt", -6),
            Map.entry("pst", -8),
            Map.entry("pdt", -7));

    /** 0 if it is not known. */
    int year;

    int month;
    int day;

    /** Whether the date is written as syslog does, a month's name, a day and a year. */
    boolean isSyslog;

    /** Reads a date at the cursor, which is behind it then. */
    boolean date(TimeCursor in) {
        year = 0;
        isSyslog = false;
        if (weekday(in)) {
            in.take('.');
            in.take(',');
            spaces(in);
        }
        return in.isDigit(in.at) ? ofDigits(in) : ofName(in);
    }

    private static boolean weekday(TimeCursor in) {
        return named(in, WEEKDAYS) > 0;
    }

    /** Takes a name, or its first three letters; its number from 1 on, 0 for none. */
    private static int named(TimeCursor in, List<String> names) {
        int letters = 0;
        while (in.at + letters < in.to && in.bytes[in.at + letters] >= 'a' && in.bytes[in.at + letters] <= 'z') {
            letters++;
        }
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            boolean isNamed = letters == name.length()
                    || letters == 3
                    || letters == 4 && (name.startsWith("sept") || name.startsWith("tues") || name.startsWith("thur"));
            if (isNamed && startsWith(in, name, letters)) {
                in.at += letters;
                return i + 1;
            }
        }
        return 0;
    }

    private static boolean startsWith(TimeCursor in, String name, int letters) {
        for (int i = 0; i < letters; i++) {
            if (i >= name.length() || in.bytes[in.at + i] != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean spaces(TimeCursor in) {
        int from = in.at;
        while (in.take(' ')) {
            continue;
        }
        return in.at > from;
    }

    /** {@code nov 28 2026}, {@code november 28, 2026}, {@code nov 28}. */
    private boolean ofName(TimeCursor in) {
        month = named(in, MONTHS);
        if (month == 0) {
            return false;
        }
        in.take('.');
        if (!spaces(in) && !in.take('-')) {
            return false;
        }
        day = upTo(in, 2);
        boolean hasComma = in.take(',');
        int behindDay = in.at;
        if (spaces(in) && in.digitsFrom(in.at) == 4) {
            year = in.number(4);
            isSyslog = !hasComma;
        } else {
            in.at = behindDay;
        }
        return day > 0;
    }

    private boolean ofDigits(TimeCursor in) {
        int digits = in.digitsFrom(in.at);
        if (digits == 4) {
            return ofYear(in);
        }
        if (digits == 6) {
            return ofSix(in);
        }
        if (digits > 2) {
            return false;
        }
        int first = in.number(digits);
        int sign = in.at < in.to ? in.bytes[in.at] : 0;
        if (sign != '.' && sign != '-' && sign != '/' && sign != ' ') {
            return false;
        }
        in.at++;
        spaces(in);
        if (!in.isDigit(in.at)) {
            return ofDayAndName(in, first);
        }
        int second = upTo(in, 2);
        if (sign == ' ' || second == 0 || !in.take(sign)) {
            return false;
        }
        digits = in.digitsFrom(in.at);
        if (digits != 4 && digits != 2) {
            return false;
        }
        return digits == 4 ? ofNumbers(sign, first, second, in.number(4)) : ofShort(in, sign, first, second);
    }

    private boolean ofNumbers(int sign, int first, int second, int yearOf) {
        boolean isMonthFirst = sign == '/' ? first <= 12 : second > 12;
        month = isMonthFirst ? first : second;
        day = isMonthFirst ? second : first;
        year = yearOf;
        return true;
    }

    /** Three numbers of two digits: a year first with hyphens, as in {@code 26-11-28}, else last. */
    private boolean ofShort(TimeCursor in, int sign, int first, int second) {
        int third = in.number(2);
        if (sign == '-') {
            year = ofTwoDigits(first);
            month = second;
            day = third;
            return true;
        }
        return ofNumbers(sign, first, second, ofTwoDigits(third));
    }

    private static int ofTwoDigits(int number) {
        return number + (number < FIRST_OF_LAST_CENTURY ? 2000 : 1900);
    }

    /** {@code 28 nov 2026}, {@code 28-nov-26}, {@code 28. november 2026}; without a year if a time follows. */
    private boolean ofDayAndName(TimeCursor in, int first) {
        day = first;
        month = named(in, MONTHS);
        if (month == 0) {
            return false;
        }
        in.take('.');
        int behindMonth = in.at;
        boolean isApart = in.take('-') || in.take('/') || in.take(',') | spaces(in);
        int digits = in.digitsFrom(in.at);
        boolean isClock = digits == 2 && in.at + 2 < in.to && in.bytes[in.at + 2] == ':';
        if (isApart && digits == 4) {
            year = in.number(4);
        } else if (isApart && digits == 2 && !isClock) {
            year = ofTwoDigits(in.number(2));
        } else if (isApart && digits == 3 && in.bytes[in.at] == '1') { // 102: years since 1900, of old programs
            year = 1900 + in.number(3);
        } else {
            in.at = behindMonth;
        }
        return true;
    }

    /** {@code 2026 nov 28}, {@code 2026-nov-28}, {@code 2026-332}, and with the signs of China and Japan. */
    private boolean ofYear(TimeCursor in) {
        year = in.number(4);
        if (takes(in, YEAR_SIGN)) {
            month = upTo(in, 2);
            day = takes(in, MONTH_SIGN) ? upTo(in, 2) : 0;
            return takes(in, DAY_SIGN);
        }
        if (year == 0 || !in.take('-') && !in.take('/') && !in.take(' ')) {
            return false;
        }
        if (in.isDigit(in.at)) {
            return in.digitsFrom(in.at) == 3 ? ofDayOfYear(in.number(3)) : ofMonthAndDay(in);
        }
        month = named(in, MONTHS);
        day = month > 0 && (in.take('-') || in.take('/') || spaces(in)) ? upTo(in, 2) : 0;
        return day > 0;
    }

    /** The rest of {@code 2026-11-28}, behind which no usual form has what is there: a comma, or a tab. */
    private boolean ofMonthAndDay(TimeCursor in) {
        int sign = in.bytes[in.at - 1];
        month = upTo(in, 2);
        day = sign != ' ' && in.take(sign) ? upTo(in, 2) : 0;
        return month > 0 && day > 0 && in.at < in.to && (in.bytes[in.at] == ',' || in.bytes[in.at] == '\t');
    }

    private static boolean takes(TimeCursor in, byte[] sign) {
        boolean isThere = in.at + sign.length <= in.to
                && Arrays.equals(in.bytes, in.at, in.at + sign.length, sign, 0, sign.length);
        in.at += isThere ? sign.length : 0;
        return isThere;
    }

    private boolean ofDayOfYear(int number) {
        if (number < 1 || number > Year.of(year).length()) {
            return false;
        }
        LocalDate date = LocalDate.ofYearDay(year, number);
        month = date.getMonthValue();
        day = date.getDayOfMonth();
        return true;
    }

    /** {@code 261128}. */
    private boolean ofSix(TimeCursor in) {
        year = ofTwoDigits(in.number(2));
        month = in.number(2);
        day = in.number(2);
        return true;
    }

    private static int upTo(TimeCursor in, int most) {
        int digits = in.digitsFrom(in.at);
        return digits < 1 || digits > most ? 0 : in.number(digits);
    }

    /**
     * Takes {@code am} or {@code pm}, perhaps behind a space.
     *
     * @return the hour of the day
     */
    static int hour(TimeCursor in, int hour) {
        int at = in.at < in.to && in.bytes[in.at] == ' ' ? in.at + 1 : in.at;
        boolean isMark = at + 2 <= in.to
                && in.bytes[at + 1] == 'm'
                && (in.bytes[at] == 'a' || in.bytes[at] == 'p')
                && (at + 2 == in.to || !in.isLetterOrDigit(at + 2));
        if (!isMark || hour < 1 || hour > 12) {
            return hour;
        }
        in.at = at + 2;
        return hour % 12 + (in.bytes[at] == 'p' ? 12 : 0);
    }

    /**
     * Takes the name of a zone, perhaps behind a space: {@code cet}, {@code gmt+1}, {@code utc+02:00}.
     *
     * @return seconds east of Greenwich; {@link Integer#MAX_VALUE} if there is none
     */
    static int zone(TimeCursor in) {
        int begin = in.at < in.to && in.bytes[in.at] == ' ' ? in.at + 1 : in.at;
        int end = begin;
        while (end < in.to && end - begin <= LONGEST_ZONE && in.bytes[end] >= 'a' && in.bytes[end] <= 'z') {
            end++;
        }
        Integer hours = ZONES.get(text(in, begin, end));
        if (hours == null) {
            return Integer.MAX_VALUE;
        }
        int seconds = hours * HOUR;
        boolean isSigned = hours == 0 && end + 1 < in.to && (in.bytes[end] == '+' || in.bytes[end] == '-');
        if (isSigned && in.isDigit(end + 1)) {
            int saved = in.at;
            in.at = end + 1;
            int offset = offset(in);
            if (offset < 0) {
                in.at = saved;
                return Integer.MAX_VALUE;
            }
            return in.bytes[end] == '-' ? -offset : offset;
        }
        boolean isName = end == in.to || " ]),:;|\"'".indexOf(in.bytes[end]) >= 0;
        if (!isName) {
            return Integer.MAX_VALUE;
        }
        in.at = end;
        return seconds;
    }

    /** {@code 1}, {@code 01}, {@code 0130}, {@code 01:30}; -1 if it is none. */
    private static int offset(TimeCursor in) {
        int digits = in.digitsFrom(in.at);
        int hours = digits == 1 || digits == 2 ? in.number(digits) : digits == 4 ? in.number(2) : 99;
        int minutes = digits == 4 ? in.number(2) : 0;
        if (digits <= 2 && in.at + 2 < in.to && in.bytes[in.at] == ':' && in.digitsFrom(in.at + 1) == 2) {
            in.at++;
            minutes = in.number(2);
        }
        return hours > 14 || minutes > 59 ? -1 : hours * HOUR + minutes * 60;
    }

    /** Takes {@code [europe/berlin]} behind an offset, which tells the time already. */
    static void region(TimeCursor in) {
        if (in.at >= in.to || in.bytes[in.at] != '[') {
            return;
        }
        int end = in.at + 1;
        boolean hasSlash = false;
        while (end < in.to
                && end - in.at < LONGEST_REGION
                && (in.isLetterOrDigit(end) || "/_+-".indexOf(in.bytes[end]) >= 0)) {
            hasSlash |= in.bytes[end] == '/';
            end++;
        }
        boolean isRegion = end < in.to
                && in.bytes[end] == ']'
                && (hasSlash || text(in, in.at + 1, end).equals("utc"));
        in.at = isRegion ? end + 1 : in.at;
    }

    private static String text(TimeCursor in, int from, int to) {
        return new String(in.bytes, from, Math.max(0, to - from), StandardCharsets.ISO_8859_1);
    }
}
