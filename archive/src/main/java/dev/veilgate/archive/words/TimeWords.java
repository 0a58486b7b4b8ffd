package dev.veilgate.archive.words;

import dev.veilgate.extract.FieldNames;
import dev.veilgate.sse.segments.Question;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times as words that stand in a dictionary in the order of time: {@code 2026-11-27t12:34}, or of a day alone {@code
 * 2026-11-27}, in UTC. A span of time is what lies between two of them.
 */
final class TimeWords {
    /** Bytes of the word of a minute. */
    static final int MINUTE_BYTES = 16;

    /** The field of the time that a document is of. */
    static final String FIELD = "time";

    private static final Pattern UNIT =
            Pattern.compile("(\\d{4})(?:-(\\d{2})(?:-(\\d{2})(?:[Tt ](\\d{2})(?::(\\d{2}))?[Zz]?)?)?)?");
    private static final Pattern VALUE = Pattern.compile("(\\d{4}-\\d{2}-\\d{2})(?:[Tt ](\\d{2}:\\d{2}\\S*))?");
    private static final Pattern ZONED = Pattern.compile("(.*)([Zz]|[+-]\\d{2}:?\\d{2})");
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern("uuuu-MM-dd't'HH:mm", Locale.ROOT);
    private static final int LONGEST = 40;
    private static final int FIRST_YEAR = 1000;
    private static final int LAST_YEAR = 9999;

    private TimeWords() {}

    /** Tells if a field is the time that a document is of, by any of its names. */
    static boolean isTime(String field) {
        return field.equals(FIELD) || FieldNames.common(field).orElse("").equals(FIELD);
    }

    /** Writes the word of a minute, {@value #MINUTE_BYTES} bytes. */
    static void minute(int year, int month, int day, int hour, int minute, byte[] word) {
        digits(word, 0, 4, year);
        word[4] = '-';
        digits(word, 5, 2, month);
        word[7] = '-';
        digits(word, 8, 2, day);
        word[10] = 't';
        digits(word, 11, 2, hour);
        word[13] = ':';
        digits(word, 14, 2, minute);
    }

    private static void digits(byte[] out, int at, int count, int value) {
        int left = value;
        for (int i = at + count - 1; i >= at; i--) {
            out[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
    }

    /**
     * The year of a time that names none: the last in which it is not more than two days behind when it was written
     * down.
     */
    static int year(int month, int day, int hour, int minute, Instant written) {
        LocalDateTime last = LocalDateTime.ofInstant(written.plusSeconds(2 * 86_400L), ZoneOffset.UTC);
        int order = Integer.compare(month, last.getMonthValue());
        order = order != 0 ? order : Integer.compare(day, last.getDayOfMonth());
        order = order != 0 ? order : Integer.compare(60 * hour + minute, 60 * last.getHour() + last.getMinute());
        return order > 0 ? last.getYear() - 1 : last.getYear();
    }

    /** The word of the minute of a time. */
    static String minute(Instant time) {
        return MINUTE.format(LocalDateTime.ofInstant(time, ZoneOffset.UTC));
    }

    /** The word of a value that is a day, or a day and a time of day, as ISO 8601 has them; empty for others. */
    static Optional<String> ofValue(String text) {
        String value = text.strip();
        if (value.length() > LONGEST || value.length() < 10 || value.charAt(4) != '-') {
            return Optional.empty();
        }
        Matcher parts = VALUE.matcher(value);
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            LocalDate day = LocalDate.parse(parts.group(1));
            if (parts.group(2) == null) {
                return Optional.of(day.toString());
            }
            String iso = day + "T" + parts.group(2).replace(',', '.').toUpperCase(Locale.ROOT);
            Matcher zoned = ZONED.matcher(iso.substring(11));
            if (!zoned.matches()) {
                return Optional.of(MINUTE.format(LocalDateTime.parse(iso)));
            }
            String zone = zoned.group(2).length() == 5
                    ? zoned.group(2).substring(0, 3) + ":" + zoned.group(2).substring(3)
                    : zoned.group(2);
            return Optional.of(minute(
                    OffsetDateTime.parse(day + "T" + zoned.group(1) + zone).toInstant()));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /**
     * A year, month, day, hour or minute.
     *
     * @param from  at or behind which its words are
     * @param below before which they are
     */
    record Span(String from, String below) {
        /** Words of a field that lie in it. */
        Question in(String field) {
            return new Question.Between(field, from, below);
        }
    }

    /** Reads a year, month, day, hour or minute: empty for other text, and for days that there are not. */
    static Optional<Span> span(String text) {
        Matcher parts = UNIT.matcher(text.strip());
        if (!parts.matches()) {
            return Optional.empty();
        }
        try {
            int year = Integer.parseInt(parts.group(1));
            LocalDateTime from = LocalDateTime.of(
                    year, number(parts.group(2), 1), number(parts.group(3), 1), number(parts.group(4), 0), 0);
            from = from.withMinute(number(parts.group(5), 0));
            if (year < FIRST_YEAR) {
                return Optional.empty();
            }
            LocalDateTime below = parts.group(2) == null
                    ? from.plusYears(1)
                    : parts.group(3) == null
                            ? from.plusMonths(1)
                            : parts.group(4) == null
                                    ? from.plusDays(1)
                                    : parts.group(5) == null ? from.plusHours(1) : from.plusMinutes(1);
            boolean days = parts.group(4) == null;
            return Optional.of(new Span(word(from, days), below.getYear() > LAST_YEAR ? "a" : word(below, days)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** A day alone has its word before those of its minutes. */
    private static String word(LocalDateTime time, boolean day) {
        return day ? time.toLocalDate().toString() : MINUTE.format(time);
    }

    private static int number(String digits, int otherwise) {
        return digits == null ? otherwise : Integer.parseInt(digits);
    }
}
