package dev.veilgate.reading;

import java.time.Instant;

/**
 * What a search found of other times than it asked for, as a count and the time that it spans. Takes the same memory however much that is. Immutable.
 *
 * @param count    records and mails
 * @param earliest of their times; meaningless without any
 * @param latest   of their times; meaningless without any
 */
public record OtherTimes(long count, Instant earliest, Instant latest) {
    /** Nothing. */
    public static final OtherTimes NONE = new OtherTimes(0, Instant.MAX, Instant.MIN);

    /** With one more. */
    public OtherTimes and(EventTime time) {
        Instant at = time.at();
        return new OtherTimes(count + 1, at.isBefore(earliest) ? at : earliest, at.isAfter(latest) ? at : latest);
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return count == 0;
    }
}
