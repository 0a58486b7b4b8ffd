package dev.veilgate.console.mailusers;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A link by which a new user of mail gets their files, as the database has it.
 *
 * @param certificate DER; in bundles once the files were handed over
 * @param replaces    DER of the certificate that the address must have for the files to be handed over: that of when
 *                    the link was made, null if it had none; the link's own once bundles named it
 * @param files       sealed; null once they were received, or the link is over
 * @param browser     digest of what the browser drew that used the link; null if none did
 * @param used        when the files were handed over first
 * @param received    when the browser said that it has them whole
 * @param cancelled   by a keeper, or by another link for the address
 */
@SuppressWarnings("ArrayRecordComponent") // of one row, read and put down again
record EnrolmentLink(
        UUID id,
        String address,
        String scope,
        byte[] certificate,
        byte @Nullable [] replaces,
        Instant created,
        String createdBy,
        Instant expires,
        byte @Nullable [] files,
        @Nullable String browser,
        @Nullable Instant used,
        @Nullable Instant received,
        @Nullable Instant cancelled) {
    /** States of a link, as the interface has them. */
    enum State {
        /** Nobody has used it yet. */
        OPEN,
        /** Files were handed over, and the browser has not said that it has them whole. */
        USED,
        /** The browser has them whole, and the console no more. */
        RECEIVED,
        /** Nobody used it, and the day is over. */
        LAPSED,
        /** Nobody used it, and nobody can. */
        CANCELLED
    }

    State stateAt(Instant now) {
        if (received != null) {
            return State.RECEIVED;
        }
        if (used != null) {
            return State.USED;
        }
        if (cancelled != null) {
            return State.CANCELLED;
        }
        return expires.isAfter(now) ? State.OPEN : State.LAPSED;
    }

    @Override
    public String toString() {
        return "EnrolmentLink[" + id + "]";
    }
}
