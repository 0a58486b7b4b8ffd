package dev.veilgate.extract.log;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A day and time of day that names no year, as in syslog records of RFC 3164: of every year, until it is known when it was read.
 *
 * @param inLeapYear    in the year 2000, which has every day
 * @param offsetSeconds of its zone; 0 if it names none, as if in UTC
 */
public record YearlessTime(LocalDateTime inLeapYear, int offsetSeconds) {
    /** As many years as may lie between two 29ths of February. */
    private static final int MOST_YEARS = 8;

    /** The time in that year which puts it nearest to when it was read: what is read on New Year's Day may be of the old year. */
    public Instant nearest(Instant read) {
        ZoneOffset zone = ZoneOffset.ofTotalSeconds(offsetSeconds);
        int year = read.atOffset(zone).getYear();
        return IntStream.rangeClosed(year - MOST_YEARS, year + MOST_YEARS)
                .mapToObj(inLeapYear::withYear)
                .filter(time -> time.getDayOfMonth() == inLeapYear.getDayOfMonth()) // there is none in most years
                .map(time -> time.toInstant(zone))
                .min(Comparator.comparing(
                        (Instant time) -> Duration.between(time, read).abs()))
                .orElseThrow();
    }

    /** Empty if no year has that day. */
    static Optional<YearlessTime> of(
            int month, int day, int hour, int minute, int second, int nanos, int offsetSeconds) {
        boolean exists = day <= Month.of(month).maxLength();
        return exists
                ? Optional.of(new YearlessTime(
                        LocalDateTime.of(2000, month, day, hour, minute, Math.min(second, 59), nanos), offsetSeconds))
                : Optional.empty();
    }
}
