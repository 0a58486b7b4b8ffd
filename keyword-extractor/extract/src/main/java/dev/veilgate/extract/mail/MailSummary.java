package dev.veilgate.extract.mail;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.codec.DecodeMonitor;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.Field;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;

/**
 * Date, sender and subject of a mail as a list of mails shows them: of each field the first, decoded.
 *
 * @param date    empty if there is none that can be read
 * @param from    name and address as written; empty if there is none
 * @param subject empty if there is none
 */
public record MailSummary(Optional<Instant> date, String from, String subject) {
    /** Reads the header of a mail. Whatever the bytes are, there is an answer. */
    public static MailSummary of(byte[] mail) {
        MailLimits limits = MailLimits.DEFAULT;
        MimeConfig config = new MimeConfig.Builder()
                .setMaxLineLen(limits.maxHeaderBytes())
                .setMaxHeaderLen(limits.maxHeaderBytes())
                .setMaxHeaderCount(limits.maxHeaderFields())
                .build();
        MimeTokenStream stream = new MimeTokenStream(
                config,
                DecodeMonitor.SILENT,
                new HeaderLines(limits.maxHeaderBytes()),
                new PartDescriptor.Builder(false));
        Optional<Instant> date = Optional.empty();
        String from = "";
        String sender = "";
        String subject = "";
        try {
            stream.parse(new LineEnds(new ByteArrayInputStream(mail)));
            EntityState state = stream.getState();
            while (state != EntityState.T_END_HEADER && state != EntityState.T_END_OF_STREAM) {
                if (state == EntityState.T_FIELD) {
                    Field field = stream.getField();
                    switch (field.getName().toLowerCase(Locale.ROOT)) {
                        case "date" -> date = date.isPresent() ? date : MailDate.read(HeaderText.raw(field));
                        case "from" -> from = from.isEmpty() ? HeaderText.text(field) : from;
                        case "sender" -> sender = sender.isEmpty() ? HeaderText.text(field) : sender;
                        case "subject" -> subject = subject.isEmpty() ? HeaderText.text(field) : subject;
                        default -> {}
                    }
                }
                state = stream.next();
            }
        } catch (MimeException | IOException | RuntimeException e) {
            // what was read up to there is shown
        }
        return new MailSummary(date, from.isEmpty() ? sender : from, subject);
    }

    /**
     * The text of any field, decoded as a Subject is.
     *
     * @param field all its lines, with its name
     */
    public static String text(byte[] field) {
        String raw = new String(field, StandardCharsets.ISO_8859_1);
        String renamed = "Subject" + raw.substring(Math.max(0, raw.indexOf(':')));
        return of(renamed.getBytes(StandardCharsets.ISO_8859_1)).subject();
    }

    /** Shows nothing of it. */
    @Override
    public String toString() {
        return "MailSummary[hidden]";
    }
}
