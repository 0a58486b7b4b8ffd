package dev.veilgate.gateway.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Length of time for which figures are summed up, and how many such times are kept. */
enum Step {
    /** Two hours of minutes. */
    MINUTE(Duration.ofMinutes(1), 120),
    /** Forty days of hours. */
    HOUR(Duration.ofHours(1), 960),
    /** A year of days, of UTC. */
    DAY(Duration.ofDays(1), 366);

    private final Duration length;
    private final int kept;

    Step(Duration length, int kept) {
        this.length = length;
        this.kept = kept;
    }

    static Optional<Step> of(String label) {
        return Stream.of(values()).filter(step -> step.label().equals(label)).findFirst();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    Duration length() {
        return length;
    }

    /** Most rows of a tenant. */
    int kept() {
        return kept;
    }

    /** Minutes in one. */
    int minutes() {
        return Math.toIntExact(length.toMinutes());
    }

    /** Beginning of the one that a time is in. */
    Instant begin(Instant at) {
        long seconds = length.toSeconds();
        return Instant.ofEpochSecond(Math.floorDiv(at.getEpochSecond(), seconds) * seconds);
    }
}
