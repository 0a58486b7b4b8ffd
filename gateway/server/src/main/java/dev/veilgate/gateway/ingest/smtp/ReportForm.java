package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import dev.veilgate.gateway.ingest.Submission;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells a report that a mail was not delivered (RFC 3464), as mail servers and our own proxy write it, from other mail
 * that nobody sealed: from nobody to one recipient, short, and of nothing but a text, a delivery status and the mail or
 * its header.
 *
 * <p>No program may read anything else there: so its header and those of its parts are {@linkplain MailHeader#isClear
 * clear}, without control characters, and its parts are told by one boundary, written in one piece. A parser that is
 * more lenient than the recipient's program would take a signed mail for a report. A text that is signed in the clear
 * (OpenPGP) can be in a report all the same, so that its header is delivered bare.
 */
final class ReportForm {
    /** Longest report, with the fields that servers on its way put in front. */
    static final int MAX_BYTES = 256 << 10;

    private static final int MAX_PARTS = 3;
    private static final String TYPE = "multipart/report";
    private static final String STATUS = "message/delivery-status";
    private static final Set<String> RETURNED = Set.of("text/rfc822-headers", "message/rfc822");
    private static final String PLAIN = "text/plain";

    private ReportForm() {}

    /** Whether it is a report; false for whatever is damaged. */
    static boolean isReport(Submission.OfMail mail) {
        if (!mail.reversePath().isEmpty() || mail.recipients().size() != 1 || mail.message().length > MAX_BYTES) {
            return false;
        }
        String text = new String(mail.message(), StandardCharsets.ISO_8859_1);
        int body = text.indexOf("\r\n\r\n");
        if (body < 0) {
            return false;
        }
        Optional<MailHeader> header = clear(text.substring(0, body + 4));
        Optional<String> boundary = header.filter(each -> type(each).equals(TYPE))
                .flatMap(each -> each.parameter("content-type", "boundary"))
                .filter(each -> !each.isEmpty());
        return boundary.isPresent() && isOfReport(text.substring(body + 2), "\r\n--" + boundary.get());
    }

    /** Tells if a body consists of the two or three parts of a report, and nothing else that a program could show. */
    private static boolean isOfReport(String body, String delimiter) {
        String[] parts = body.split(Pattern.quote(delimiter), -1);
        int count = parts.length - 2; // what is before the first, and behind the last
        if (count < 2 || count > MAX_PARTS || !parts[count + 1].startsWith("--")) {
            return false;
        }
        return isOf(parts[1], Set.of(PLAIN))
                && isOf(parts[2], Set.of(STATUS))
                && (count == 2 || isOf(parts[3], RETURNED));
    }

    /**
     * Tells if a part of a report has one of some types, by a header that all programs read alike.
     *
     * @param part from the end of its delimiter on; without a header it is plain text
     */
    private static boolean isOf(String part, Set<String> types) {
        int lineEnd = part.indexOf("\r\n");
        if (lineEnd < 0 || !part.substring(0, lineEnd).isBlank()) {
            return false; // something stands behind the delimiter
        }
        String lines = part.substring(lineEnd + 2);
        if (lines.startsWith("\r\n")) {
            return types.contains(PLAIN); // what a part without a header is, as sendmail writes it
        }
        int end = lines.indexOf("\r\n\r\n");
        String head = end < 0 ? lines + "\r\n\r\n" : lines.substring(0, end + 4);
        return clear(head).filter(header -> types.contains(type(header))).isPresent();
    }

    private static Optional<MailHeader> clear(String head) {
        if (head.startsWith("From ") || head.startsWith(">From ")) {
            return Optional.empty(); // a line of a mail box in a file, which some programs take for text
        }
        try {
            MailHeader.Split split =
                    MailHeader.read(new ByteArrayInputStream(head.getBytes(StandardCharsets.ISO_8859_1)));
            boolean isClear = split.start().length == 0
                    && split.header().isClear()
                    && !split.header().hasControls();
            return isClear ? Optional.of(split.header()) : Optional.empty();
        } catch (IOException | MalformedMailException e) {
            return Optional.empty();
        }
    }

    /** The media type of a clear header. */
    private static String type(MailHeader header) {
        String value = header.first("content-type").map(MailHeader.Field::value).orElse(PLAIN);
        return value.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }
}
