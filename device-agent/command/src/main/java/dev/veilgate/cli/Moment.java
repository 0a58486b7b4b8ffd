package dev.veilgate.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A time as people write it, in UTC unless it says otherwise. */
final class Moment {
    private static final Pattern AGO = Pattern.compile("([0-9]{1,6})([smhd])");

    private Moment() {}

    /** In whole milliseconds; empty if it is not written like a time. */
    static Optional<Instant> parse(String text, Instant now) {
        Matcher ago = AGO.matcher(text);
        try {
            Instant time;
            if (ago.matches()) {
                long count = Long.parseLong(ago.group(1));
                time = now.minus(
                        switch (ago.group(2)) {
                            case "s" -> Duration.ofSeconds(count);
                            case "m" -> Duration.ofMinutes(count);
                            case "h" -> Duration.ofHours(count);
                            default -> Duration.ofDays(count);
                        });
            } else if (!text.contains("T")) {
                time = LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC);
            } else if (text.matches(".*(?:Z|[+-][0-9:]+)")) {
                time = OffsetDateTime.parse(text).toInstant();
            } else {
                time = LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
            }
            return Optional.of(time.truncatedTo(ChronoUnit.MILLIS));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
