package dev.veilgate.extract.log;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** A text that is a time, in any form that log records by rules 2 may have it in. */
public final class TimeText {
    private static final int LONGEST = 128;

    private TimeText() {}

    /**
     * Reads a time that a text begins with.
     *
     * @return empty if the text begins with none, or with one that has no year; without a zone, as if in UTC
     */
    public static Optional<Instant> read(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        byte[] bytes = lower.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LONGEST) {
            return Optional.empty();
        }
        Timestamp time = new Timestamp(true);
        return time.read(bytes, 0, bytes.length) < 0 ? Optional.empty() : time.instant();
    }
}
