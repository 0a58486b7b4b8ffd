package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A line of a result; of the interface. What is kept in the spool has the whole text, what is shown as a line has its
 * beginning.
 *
 * @param kind       record, mail, unreadable or unchecked
 * @param time       when it happened: by it rows are filtered and counted
 * @param timeSource where that comes from: own, read or sealed
 * @param proven     whether a registered sender signed it
 * @param why        why it cannot be read
 * @param missing    attributes that would open it
 * @param signed     of a mail, who signed it: the label of a {@link dev.veilgate.envelope.smime.MailAuthor.Kind}
 * @param signedBy   the address that the certificate names
 * @param altered    of a mail, fields that say something else outside than sealed; absent if none does
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Row(
        long row,
        String kind,
        UUID envelope,
        @Nullable Integer ordinal,
        Instant time,
        String timeSource,
        String sender,
        boolean proven,
        long sequence,
        @Nullable String origin,
        @Nullable String level,
        @Nullable String text,
        @Nullable String from,
        @Nullable String to,
        @Nullable String why,
        @Nullable List<String> missing,
        @Nullable String signed,
        @Nullable String signedBy,
        @Nullable List<String> altered) {
    /** Most characters of a text that a line shows. */
    static final int SHOWN = 2_000;

    static final String RECORD = "record";
    static final String MAIL = "mail";
    static final String UNREADABLE = "unreadable";
    /** A mail that may be what was searched for; not among the rows of a result. */
    static final String UNCHECKED = "unchecked";

    /** With the beginning of its text. */
    Row shown() {
        if (text == null || text.length() <= SHOWN) {
            return this;
        }
        int end = Character.isHighSurrogate(text.charAt(SHOWN - 1)) ? SHOWN - 1 : SHOWN;
        return new Row(
                row,
                kind,
                envelope,
                ordinal,
                time,
                timeSource,
                sender,
                proven,
                sequence,
                origin,
                level,
                text.substring(0, end),
                from,
                to,
                why,
                missing,
                signed,
                signedBy,
                altered);
    }

    /** With a reason. */
    Row because(String reason) {
        return new Row(
                row,
                kind,
                envelope,
                ordinal,
                time,
                timeSource,
                sender,
                proven,
                sequence,
                origin,
                level,
                text,
                from,
                to,
                reason,
                missing,
                signed,
                signedBy,
                altered);
    }

    @Override
    public String toString() {
        return "Row[" + row + ", hidden]";
    }
}
