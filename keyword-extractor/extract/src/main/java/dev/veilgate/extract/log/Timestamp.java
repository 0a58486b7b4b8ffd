package dev.veilgate.extract.log;

import dev.veilgate.extract.RecordSink;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the common forms of a time of day with its date, from lower-case ASCII. One object is used again and again; {@link #read} fills it.
 *
 * <p>Forms: {@code 2026-11-21T12:23:01.5+01:00} and its kin (space, underscore or hyphen in the middle, points for colons, slashes or points
 * in the date, no seconds), {@code 20261121-12:23:01:500}, {@code 20261121T122301Z}, {@code 261121 122301}, {@code 26/11/21 12:23:01}, {@code 11-21
 * 12:23:01}, {@code 11.21 12:23:01}, {@code 21/Nov/2026:12:23:01 +0100}, {@code Nov 21 12:23:01 [2026]}, {@code Sat Nov 21 12:23:01 2026}, seconds and
 * milliseconds since 1970 from September 2001 to 2099.
 */
final class Timestamp {
    /** Which form was read, where what follows depends on it. */
    enum Form {
        ISO,
        SYSLOG,
        MONTH_DAY,
        SIX_DIGITS,
        EPOCH,
        OTHER
    }

    private static final long FIRST_EPOCH_SECOND = 1_000_000_000L;
    private static final long LAST_EPOCH_SECOND = 4_102_444_799L;
    private static final int TAI_DIGITS = 24;
    private static final int TAI_AHEAD = 10;
    private static final int NO_ZONE = Integer.MAX_VALUE;

    private final TimeCursor in = new TimeCursor();
    private final @Nullable FurtherTimes further;
    private int year;
    private int month;
    private int day;
    private int hour;
    private int minute;
    private int second;
    private int nanos;
    private int offsetSeconds;
    private long epochMillis;
    private int zoneNameAt = -1;
    private boolean isLongEpoch;
    private Form form = Form.OTHER;

    /** @param further whether the forms that rules 2 read beside the usual ones are times, see {@link FurtherTimes} */
    Timestamp(boolean further) {
        this.further = further ? new FurtherTimes() : null;
    }

    /** Where a time that begins here ends; -1 if none does. */
    int read(byte[] lower, int from, int to) {
        begin(lower, from, to);
        if (from >= in.to) {
            return -1;
        }
        boolean found = in.isDigit(from)
                ? fromDigits(in.digitsFrom(from))
                : in.bytes[from] >= 'a' && in.bytes[from] <= 'z' && fromName();
        boolean isTime = found && plausible();
        if (further == null) {
            return isTime ? in.at : -1;
        }
        if (isTime) {
            readBehind();
            return in.at;
        }
        begin(lower, from, to);
        return fromFurther(further) && plausible() ? in.at : -1;
    }

    /** Whether it was written in micro- or nanoseconds since 1970, as numbers of other kinds may look. */
    boolean isLongEpoch() {
        return isLongEpoch;
    }

    /** Where the name of a zone and what is before it begin that ended the time; -1 if none did. */
    int zoneNameAt() {
        return zoneNameAt;
    }

    private void begin(byte[] lower, int from, int to) {
        in.set(lower, from, to);
        zoneNameAt = -1;
        isLongEpoch = false;
        year = 0;
        second = 0;
        nanos = 0;
        offsetSeconds = NO_ZONE;
        form = Form.OTHER;
    }

    /** Half of the day, name of the zone and year, where they are written behind a time. */
    private void readBehind() {
        if (form == Form.EPOCH) {
            return;
        }
        hour = FurtherTimes.hour(in, hour);
        int behindClock = in.at;
        if (!zoned()) {
            zone(); // 10:00:00 am +0100, 10:00:00 2026 +0100
        }
        if (!zoned()) {
            offsetSeconds = FurtherTimes.zone(in);
            zoneNameAt = zoned() ? behindClock : -1;
        } else {
            FurtherTimes.region(in);
        }
        boolean isYear = year == 0
                && in.at + 5 <= in.to
                && in.bytes[in.at] == ' '
                && in.digitsFrom(in.at + 1) == 4
                && zoned()
                && (in.at + 5 == in.to || !in.isLetterOrDigit(in.at + 5));
        if (isYear) { // sat nov 28 10:00:00 cet 2026
            in.at++;
            year = in.number(4);
        } else if (year == 0 && in.at > behindClock && form == Form.SYSLOG && !isAt(':')) {
            in.at = behindClock; // a host may have the name of a zone
            offsetSeconds = NO_ZONE;
            zoneNameAt = -1;
        }
    }

    private boolean isAt(int expected) {
        return in.at < in.to && in.bytes[in.at] == expected;
    }

    private boolean fromFurther(FurtherTimes dates) {
        int digits = in.digitsFrom(in.at);
        if (digits == 14 && !in.isDigit(in.at + 14)) {
            return compact();
        }
        if (digits == 14 && (endOfDigits() == 16 || endOfDigits() == 19)) {
            return longEpoch(endOfDigits());
        }
        if (isAt('@')) {
            return tai();
        }
        boolean isClockFirst =
                (digits == 1 || digits == 2) && in.at + digits < in.to && in.bytes[in.at + digits] == ':';
        if (isClockFirst) {
            if (!timeOfDay() || !in.take(' ') || !dates.date(in) || dates.year == 0) {
                return false;
            }
        } else if (!dates.date(in) || !isClockBehindDate() || !timeOfDay() || !isClosed()) {
            return false;
        }
        year = dates.year;
        month = dates.month;
        day = dates.day;
        form = dates.isSyslog ? Form.SYSLOG : Form.OTHER;
        zone();
        readBehind();
        return true;
    }

    /** {@code 10:00:00x} is a part of something else. */
    private boolean isClosed() {
        return in.at == in.to || !in.isDigit(in.at) && (!in.isLetterOrDigit(in.at) || isMark(in.bytes[in.at]));
    }

    private static boolean isMark(byte letter) {
        return letter == 'z' || letter == 'a' || letter == 'p';
    }

    /** Takes what is between a date and a time of day. */
    private boolean isClockBehindDate() {
        boolean isApart = in.take('\t') || in.take(',') && in.isDigit(in.at);
        isApart |= in.take('t') || in.take(':') || in.take('-') || in.take('_');
        while (in.take(' ')) {
            isApart = true;
        }
        return isApart;
    }

    private int endOfDigits() {
        int end = in.at;
        while (end < in.to && end - in.at < 20 && in.isDigit(end)) {
            end++;
        }
        return end - in.at;
    }

    /** {@code 20261128100000}. */
    private boolean compact() {
        year = in.number(4);
        month = in.number(2);
        day = in.number(2);
        compactTime();
        fraction();
        zone();
        return true;
    }

    /** Micro- or nanoseconds since 1970. */
    private boolean longEpoch(int digits) {
        long value = 0;
        for (int i = 0; i < digits; i++) {
            value = 10 * value + in.bytes[in.at++] - '0';
        }
        isLongEpoch = true;
        return epochOf(value / (digits == 16 ? 1_000 : 1_000_000));
    }

    private boolean epochOf(long millis) {
        epochMillis = millis;
        form = Form.EPOCH;
        offsetSeconds = 0;
        return millis / 1000 >= FIRST_EPOCH_SECOND && millis / 1000 <= LAST_EPOCH_SECOND;
    }

    /** {@code @4000000069294f2a075bcd15}, TAI64N of multilog: ten seconds ahead of the time since 1970. */
    private boolean tai() {
        int begin = in.at + 1;
        if (begin + TAI_DIGITS > in.to || begin + TAI_DIGITS < in.to && in.isLetterOrDigit(begin + TAI_DIGITS)) {
            return false;
        }
        long seconds = 0;
        long nanosOf = 0;
        for (int i = 0; i < TAI_DIGITS; i++) {
            int digit = Character.digit(in.bytes[begin + i], 16);
            if (digit < 0) {
                return false;
            }
            seconds = i < 16 ? seconds << 4 | digit : seconds;
            nanosOf = i < 16 ? 0 : nanosOf << 4 | digit;
        }
        in.at = begin + TAI_DIGITS;
        return seconds >>> 62 == 1 && epochOf(1000 * (seconds - (1L << 62) - TAI_AHEAD) + nanosOf / 1_000_000);
    }

    /** As {@link #read}, of {@code 1121 12:23:01.500}, as programs of Kubernetes write it behind the letter of a level: anywhere else the digits would be a number. */
    int readMonthDay(byte[] lower, int from, int to) {
        begin(lower, from, to);
        form = Form.MONTH_DAY;
        if (in.digitsFrom(from) != 4) {
            return -1;
        }
        month = in.number(2);
        day = in.number(2);
        return in.take(' ') && timeOfDay() && plausible() ? in.at : -1;
    }

    Form form() {
        return form;
    }

    /** Whether a zone was given, or is known as of an epoch time. */
    private boolean zoned() {
        return offsetSeconds != NO_ZONE;
    }

    private boolean plausible() {
        if (form == Form.EPOCH) {
            return true;
        }
        boolean inRange =
                month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 60;
        return inRange && (year == 0 || year >= 1970 && year <= 2199);
    }

    private boolean fromDigits(int digits) {
        return switch (digits) {
            case 1, 2 -> shortDate(digits);
            case 4 -> longDate();
            case 6 -> sixDigits();
            case 8 -> eightDigits();
            case 10, 13 -> epoch(digits);
            default -> false;
        };
    }

    private boolean longDate() {
        year = in.number(4);
        int separator = in.at < in.to ? in.bytes[in.at] : 0;
        if (separator != '-' && separator != '/' && separator != '.') {
            return false;
        }
        in.at++;
        month = in.number(2);
        if (!in.take(separator)) {
            return false;
        }
        day = in.number(2);
        form = Form.ISO;
        return (in.take('t') || in.take(' ') || in.take('-') || in.take('_') || in.take(':')) && timeOfDay() && zone();
    }

    private boolean shortDate(int digits) {
        int first = in.number(digits);
        if (in.take('/')) {
            if (in.at < in.to && !in.isDigit(in.at)) { // 21/Nov/2026:12:23:01
                day = first;
                month = in.monthName();
                if (month == 0 || !in.take('/') || in.digitsFrom(in.at) != 4) {
                    return false;
                }
                year = in.number(4);
                return in.take(':') && timeOfDay() && zone();
            }
            year = 2000 + first;
            month = in.number(2);
            if (digits != 2 || !in.take('/')) {
                return false;
            }
            day = in.number(2);
            return in.take(' ') && timeOfDay() && zone();
        }
        month = first;
        if (digits != 2 || !in.take('-') && !in.take('.')) {
            return false;
        }
        day = in.number(2);
        form = Form.MONTH_DAY;
        return in.take(' ') && timeOfDay() && zone();
    }

    private boolean sixDigits() {
        year = 2000 + in.number(2);
        month = in.number(2);
        day = in.number(2);
        form = Form.SIX_DIGITS;
        return in.take(' ') && in.digitsFrom(in.at) == 6 && compactTime();
    }

    private boolean eightDigits() {
        year = in.number(4);
        month = in.number(2);
        day = in.number(2);
        if (!in.take('t') && !in.take('-') && !in.take(' ')) {
            return false;
        }
        return (in.digitsFrom(in.at) == 6 ? compactTime() && fraction() : timeOfDay()) && zone();
    }

    private boolean compactTime() {
        hour = in.number(2);
        minute = in.number(2);
        second = in.number(2);
        return true;
    }

    private boolean epoch(int digits) {
        long value = 0;
        for (int i = 0; i < digits; i++) {
            value = 10 * value + in.bytes[in.at++] - '0';
        }
        if (in.at < in.to && (in.bytes[in.at] == '.' || in.bytes[in.at] == ',')) {
            fraction();
        }
        epochMillis = digits == 13 ? value : 1000 * value + nanos / 1_000_000;
        form = Form.EPOCH;
        offsetSeconds = 0;
        long seconds = epochMillis / 1000;
        boolean apart = in.at == in.to
                || in.bytes[in.at] == ' '
                || in.bytes[in.at] == '\t'
                || in.bytes[in.at] == ']'
                || in.bytes[in.at] == ','
                || in.bytes[in.at] == '|';
        return apart && seconds >= FIRST_EPOCH_SECOND && seconds <= LAST_EPOCH_SECOND;
    }

    /** {@code [weekday ]month day time[ year]}. */
    private boolean fromName() {
        month = in.monthName();
        boolean weekday = month == 0;
        if (weekday) {
            in.at += 3;
            if (!in.take(' ')) {
                return false;
            }
            month = in.monthName();
        }
        if (month == 0 || !in.take(' ')) {
            return false;
        }
        in.take(' ');
        int digits = in.digitsFrom(in.at);
        if (digits < 1 || digits > 2) {
            return false;
        }
        day = in.number(digits);
        if (!in.take(' ') || !timeOfDay()) {
            return false;
        }
        form = Form.SYSLOG;
        if (in.at + 5 <= in.to
                && in.bytes[in.at] == ' '
                && in.digitsFrom(in.at + 1) == 4
                && (in.at + 5 == in.to || in.bytes[in.at + 5] == ' ' || in.bytes[in.at + 5] == ']')) {
            int candidate = (in.bytes[in.at + 1] - '0') * 1000
                    + (in.bytes[in.at + 2] - '0') * 100
                    + (in.bytes[in.at + 3] - '0') * 10
                    + in.bytes[in.at + 4]
                    - '0';
            if (weekday || candidate >= 1970 && candidate <= 2199) {
                year = candidate;
                in.at += 5;
            }
        }
        return true;
    }

    /** {@code 12:23[:01][.5]}; hours, minutes and seconds of one or two digits, with colons or points between. */
    private boolean timeOfDay() {
        int digits = in.digitsFrom(in.at);
        if (digits < 1 || digits > 2) {
            return false;
        }
        hour = in.number(digits);
        int separator = in.at < in.to ? in.bytes[in.at] : 0;
        digits = separator == ':' || separator == '.' ? in.digitsFrom(in.at + 1) : 0;
        if (digits < 1 || digits > 2) {
            return false;
        }
        in.at++;
        minute = in.number(digits);
        digits = in.at < in.to && in.bytes[in.at] == separator ? in.digitsFrom(in.at + 1) : 0;
        if (digits < 1 || digits > 2) {
            return separator == ':'; // a point alone: 12.23 may be anything
        }
        in.at++;
        second = in.number(digits);
        return fraction();
    }

    private boolean fraction() {
        boolean mark = in.at < in.to && (in.bytes[in.at] == '.' || in.bytes[in.at] == ',' || in.bytes[in.at] == ':');
        int digits = mark ? in.digitsFrom(in.at + 1) : 0;
        if (digits == 0 || digits > 9) {
            return true;
        }
        in.at++;
        int scale = 1;
        for (int i = digits; i < 9; i++) {
            scale *= 10;
        }
        nanos = in.number(digits) * scale;
        return true;
    }

    /** {@code z}, {@code +01:00}, {@code +0100} or {@code +01}, perhaps after a space; or nothing. */
    private boolean zone() {
        if (in.at < in.to && in.bytes[in.at] == 'z' && (in.at + 1 == in.to || !in.isLetterOrDigit(in.at + 1))) {
            in.at++;
            offsetSeconds = 0;
            return true;
        }
        int sign = in.at < in.to && in.bytes[in.at] == ' ' && in.at + 1 < in.to ? in.at + 1 : in.at;
        if (sign >= in.to || in.bytes[sign] != '+' && in.bytes[sign] != '-') {
            return true;
        }
        int digits = in.digitsFrom(sign + 1);
        int start = sign + 1;
        boolean colon = digits == 2 && start + 2 < in.to && in.bytes[start + 2] == ':' && in.digitsFrom(start + 3) == 2;
        if (digits != 4 && !colon && (digits != 2 || sign != in.at)) {
            return true; // something else: the time has no zone
        }
        int saved = in.at;
        in.at = start;
        int hours = in.number(2);
        in.at += colon ? 1 : 0;
        int minutes = digits == 4 || colon ? in.number(2) : 0;
        if (hours > 18 || minutes > 59 || hours == 18 && minutes > 0) {
            in.at = saved;
            return true;
        }
        offsetSeconds = (in.bytes[sign] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
        return true;
    }

    /** The instant; empty without a year. Without a zone, as if in UTC. */
    Optional<Instant> instant() {
        if (form == Form.EPOCH) {
            return Optional.of(Instant.ofEpochMilli(epochMillis));
        }
        if (year == 0) {
            return Optional.empty();
        }
        try {
            LocalDateTime local = LocalDateTime.of(year, month, day, hour, minute, Math.min(second, 59), nanos);
            return Optional.of(local.toInstant(ZoneOffset.ofTotalSeconds(zoned() ? offsetSeconds : 0)));
        } catch (DateTimeException e) { // the 31st of February
            return Optional.empty();
        }
    }

    /** The time without a year; empty with one, and for days that no year has. */
    Optional<YearlessTime> yearless() {
        return form == Form.EPOCH || year != 0
                ? Optional.empty()
                : YearlessTime.of(month, day, hour, minute, second, nanos, zoned() ? offsetSeconds : 0);
    }

    /** Gives the time's keywords to a sink: in UTC if the zone is known, else as read. See {@link RecordSink#time}. */
    void tokens(RecordSink out) {
        int y = year;
        int m = month;
        int d = day;
        int h = hour;
        int min = minute;
        if (form == Form.EPOCH || zoned() && offsetSeconds != 0 && year != 0) {
            Optional<Instant> instant = instant();
            if (instant.isPresent()) {
                LocalDateTime utc = LocalDateTime.ofInstant(instant.get(), ZoneOffset.UTC);
                y = utc.getYear();
                m = utc.getMonthValue();
                d = utc.getDayOfMonth();
                h = utc.getHour();
                min = utc.getMinute();
            }
        }
        out.time(y, m, d, h, min);
    }
}
