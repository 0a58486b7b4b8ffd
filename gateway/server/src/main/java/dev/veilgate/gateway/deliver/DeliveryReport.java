package dev.veilgate.gateway.deliver;

import dev.veilgate.transport.smtp.SmtpReply;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * The report that a mail did not reach somebody: multipart/report of RFC 3464 with the header of the mail. Goes to its sender, from nobody, so
 * that it is never reported itself.
 */
final class DeliveryReport {
    private static final int MAX_HEADER_BYTES = 64 << 10;
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private DeliveryReport() {}

    /**
     * A report.
     *
     * @param ourName what this gateway calls itself
     * @param mail    has a reverse path
     * @param failed  who was not reached, and what the next server said last
     */
    static OutboundMail of(
            String ourName, OutboundMail mail, Map<String, SmtpReply> failed, Instant arrived, Instant now) {
        String boundary = "veilgate-" + UUID.randomUUID();
        var text = new StringBuilder();
        text.append("From: <mailer-daemon@")
                .append(ourName)
                .append(">\r\nTo: <")
                .append(mail.reversePath());
        text.append(">\r\nDate: ").append(DATE.format(now));
        text.append("\r\nMessage-ID: <").append(UUID.randomUUID()).append('@').append(ourName);
        text.append(">\r\nAuto-Submitted: auto-replied\r\nSubject: Your mail was not delivered\r\nMIME-Version: 1.0\r\n"
                + "Content-Type: multipart/report; report-type=delivery-status;\r\n boundary=\"");
        text.append(boundary).append("\"\r\n\r\n--").append(boundary).append("\r\n");
        explain(text, failed);
        text.append("\r\n--").append(boundary).append("\r\n");
        status(text, ourName, failed, arrived, now);
        text.append("\r\n--").append(boundary).append("\r\nContent-Type: text/rfc822-headers\r\n\r\n");
        text.append(header(mail.message()));
        text.append("\r\n--").append(boundary).append("--\r\n");
        byte[] message = text.toString().getBytes(StandardCharsets.US_ASCII);
        return new OutboundMail("", List.of(mail.reversePath()), message);
    }

    private static void explain(StringBuilder text, Map<String, SmtpReply> failed) {
        text.append("Content-Type: text/plain; charset=us-ascii\r\n\r\n"
                + "Your mail did not reach these recipients, and will not be tried again:\r\n");
        failed.forEach((address, reply) -> text.append("\r\n  ")
                .append(address)
                .append("\r\n    ")
                .append(reply)
                .append("\r\n"));
    }

    private static void status(
            StringBuilder text, String ourName, Map<String, SmtpReply> failed, Instant arrived, Instant now) {
        text.append("Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; ")
                .append(ourName);
        text.append("\r\nArrival-Date: ").append(DATE.format(arrived)).append("\r\n");
        failed.forEach((address, reply) -> text.append("\r\nFinal-Recipient: rfc822; ")
                .append(address)
                .append("\r\nAction: failed\r\nStatus: ")
                .append(reply.isFinal() ? reply.status() : "5.4.7")
                .append("\r\nDiagnostic-Code: smtp; ")
                .append(reply)
                .append("\r\nLast-Attempt-Date: ")
                .append(DATE.format(now))
                .append("\r\n"));
    }

    /** The header section with its line ends; a long one is cut at a line. */
    static String header(byte[] message) {
        String start = new String(message, 0, Math.min(message.length, MAX_HEADER_BYTES), StandardCharsets.ISO_8859_1);
        int end = start.indexOf("\r\n\r\n");
        int last = end >= 0 ? end : Math.max(0, start.lastIndexOf("\r\n"));
        return start.isEmpty() ? "" : start.substring(0, last) + "\r\n";
    }
}
