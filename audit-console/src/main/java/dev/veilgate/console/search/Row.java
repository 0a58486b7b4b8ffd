package dev.veilgate.console.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.extract.log.LineParts;
import java.nio.charset.StandardCharsets;
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

    /** Row with the beginning of its text; of the parts of a line that a container's runtime cut, with that line's. */
    Row shown() {
        String line = text == null || !kind.equals(RECORD) ? text : line(text);
        if (line == null || line.equals(text) && line.length() <= SHOWN) {
            return this;
        }
        boolean isInPair = line.length() > SHOWN && Character.isHighSurrogate(line.charAt(SHOWN - 1));
        int end = Math.min(line.length(), isInPair ? SHOWN - 1 : SHOWN);
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
                line.substring(0, end),
                from,
                to,
                why,
                missing,
                signed,
                signedBy,
                altered);
    }

    private static String line(String record) {
        return record.indexOf('\n') < 0
                ? record
                : new String(LineParts.line(record.getBytes(StandardCharsets.UTF_8)), StandardCharsets.UTF_8);
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
