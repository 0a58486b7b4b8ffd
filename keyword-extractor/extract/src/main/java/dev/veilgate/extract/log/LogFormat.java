package dev.veilgate.extract.log;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How the records of a source are written. */
public enum LogFormat {
    /** Told of each record by its first bytes. */
    AUTO,
    /** {@code <34>1 2026-11-21T12:23:01Z host app 123 id [sd k="v"] message} (RFC 5424). */
    RFC5424,
    /** {@code <34>Nov 21 12:23:01 host app[123]: message} (RFC 3164), also without the priority, as in files. */
    RFC3164,
    /** One JSON object. */
    JSON,
    /** {@code key=value key="value with spaces"}. */
    KEY_VALUE,
    /** Everything else: a time, level, logger and process are recognised near the beginning. */
    PLAIN;

    /** As settings and envelopes spell it; never changes. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The format of a label; empty if there is none, as of later software. */
    public static Optional<LogFormat> of(String label) {
        return Arrays.stream(values())
                .filter(format -> format.label().equals(label))
                .findFirst();
    }
}
