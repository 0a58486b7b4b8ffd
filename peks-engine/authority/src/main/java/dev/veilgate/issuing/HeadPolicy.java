package dev.veilgate.issuing;

import java.time.Duration;

/**
 * How often a head is signed by itself; it is also signed on request and when the log is closed.
 *
 * @param entries after this many entries
 * @param age     with the next entry, when the last head is older than this
 */
public record HeadPolicy(int entries, Duration age) {
    /**
     * Every 1,024 entries or quarter of an hour: 800 MB of heads a year at most, if there is an entry in each quarter
     * day and night, and 200 MB of an authority with a key of version 1.
     */
    public static final HeadPolicy DEFAULT = new HeadPolicy(1024, Duration.ofMinutes(15));

    /** @throws IllegalArgumentException unless both are positive */
    public HeadPolicy {
        if (entries < 1 || age.isNegative() || age.isZero()) {
            throw new IllegalArgumentException("a head is signed after one entry or more, and after some time");
        }
    }
}
