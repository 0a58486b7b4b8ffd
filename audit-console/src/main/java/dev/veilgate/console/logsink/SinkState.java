package dev.veilgate.console.logsink;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * State of the sink, as pages and the log of the program say it.
 *
 * @param activity what it does now
 * @param sent     number of the last entry that is acknowledged
 * @param failure  why nothing is acknowledged; null: it goes on
 * @param putBack  that the log had fewer entries than were acknowledged; null: it never had since the start
 */
record SinkState(
        Activity activity,
        long sent,
        @Nullable Failure failure,
        @Nullable PutBack putBack) {
    static final SinkState BEGINNING = new SinkState(Activity.LOCKED, 0, null, null);

    /** Occupation of the sink. */
    enum Activity {
        /** Everything is acknowledged. */
        IDLE,
        SENDING,
        /** Nothing can be read as long as the keys are locked. */
        LOCKED
    }

    /**
     * Failure that lasts.
     *
     * @param since the first one of those without a success between
     */
    record Failure(Instant since, String reason) {}

    /**
     * Step back to what the log still has.
     *
     * @param from number of the last entry that was acknowledged
     * @param to   number behind which it went on
     */
    record PutBack(Instant at, long from, long to) {}

    SinkState with(Activity now) {
        return new SinkState(now, sent, failure, putBack);
    }

    SinkState acknowledged(long number) {
        return new SinkState(activity, number, null, putBack);
    }

    SinkState failing(Instant now, String reason) {
        return new SinkState(activity, sent, new Failure(failure == null ? now : failure.since(), reason), putBack);
    }

    SinkState at(long number) {
        return new SinkState(activity, number, failure, putBack);
    }

    SinkState putBack(Instant now, long from, long to) {
        return new SinkState(activity, to, failure, new PutBack(now, from, to));
    }
}
