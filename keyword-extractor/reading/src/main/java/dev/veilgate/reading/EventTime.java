package dev.veilgate.reading;

import dev.veilgate.extract.mail.MailDate;
import dev.veilgate.query.Filter;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * When something happened that a record or mail tells of: the one time by which a search filters, sorts, counts and shows it. It is what the record says itself where that can be, and
 * else when it was read or sealed.
 *
 * <p>What a record says itself can be if it is neither after it was read nor more than {@link #BACKLOG} before. So a clock that is ahead, a zone that a line does not name, and the year 1970 or
 * 2199 move nothing out of the time in which it came; and every time is within [read - BACKLOG, read], which is what {@link #widened} is made from.
 *
 * @param at     the time
 * @param source where it comes from
 */
public record EventTime(Instant at, Source source) {
    /** Where a time comes from. */
    public enum Source {
        /** The record or mail says it. */
        OWN,
        /** The record was read then: its own time is missing, or cannot be. */
        READ,
        /** The mail was sealed then: its Date is missing, or cannot be. */
        SEALED;

        /** Its name in interfaces. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How long before it was read a record may have been written, so that its own time is believed: an agent that was down, an old file. */
    public static final Duration BACKLOG = Duration.ofDays(30);

    /** How long after it was read a record may be sealed, so that a search of its time asks the epoch that it is in. */
    public static final Duration SEALING = Duration.ofDays(1);

    private static final Duration LATE = BACKLOG.plus(SEALING);
    private static final Instant FIRST_MILLI = Instant.ofEpochMilli(Long.MIN_VALUE);
    private static final Instant LAST_MILLI = Instant.ofEpochMilli(Long.MAX_VALUE);

    /**
     * Of a record.
     *
     * @param own  what it says; empty if it names none
     * @param read when it was read: an envelope's last time
     */
    public static EventTime ofRecord(Optional<Instant> own, Instant read) {
        return of(own, read, Source.READ);
    }

    /**
     * Of a mail.
     *
     * @param date   its Date field; anything, and empty if it has none
     * @param sealed when it was sealed: its envelope's last time
     */
    public static EventTime ofMail(String date, Instant sealed) {
        return of(MailDate.read(date), sealed, Source.SEALED);
    }

    private static EventTime of(Optional<Instant> own, Instant known, Source otherwise) {
        return own.filter(time -> !time.isAfter(known) && !time.isBefore(known.minus(BACKLOG)))
                .map(time -> new EventTime(time, Source.OWN))
                .orElse(new EventTime(known, otherwise));
    }

    /** Whether it lies in the time that is asked for: not before its beginning, and before its end. */
    public boolean isIn(Filter range) {
        return range.admits(at, at);
    }

    /**
     * What a gateway, which knows only when envelopes were read and sealed, has to be asked so that nothing of a range is missed: the same, up to the last time at which a record of it can have been read
     * and sealed. Whatever is found beyond the range {@link #isIn} leaves out.
     */
    public static Filter widened(Filter range) {
        return new Filter(
                range.from(),
                range.to().map(to -> to.isAfter(LAST_MILLI.minus(LATE)) ? LAST_MILLI : to.plus(LATE)),
                range.senders());
    }

    /**
     * The range that a filter was {@link #widened} from: of a request that somebody else made, which names only what the gateway is asked. A filter that is shorter than what is added was not widened, and is
     * the range.
     */
    public static Filter narrowed(Filter widened) {
        Optional<Instant> to =
                widened.to().filter(end -> end.isAfter(FIRST_MILLI.plus(LATE))).map(end -> end.minus(LATE));
        boolean isWidened = to.isPresent()
                && widened.from().filter(from -> !from.isBefore(to.get())).isEmpty();
        return isWidened ? new Filter(widened.from(), to, widened.senders()) : widened;
    }
}
