package dev.veilgate.proxy;

import dev.veilgate.envelope.smime.MailHeader;
import dev.veilgate.envelope.smime.MalformedMailException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/**
 * The report that a mail did not reach somebody: multipart/report of RFC 3464, with the outer header of the sealed mail, which holds no
 * subject. Goes to the sender, from nobody, so that it is never reported itself.
 */
final class FailureReport {
    private static final DateTimeFormatter DATE = DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss Z", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** A gateway takes reports up to 256 KiB: those who are named and the header that is repeated stay well below. */
    private static final int MAX_NAMED = 500;

    private static final int MAX_HEADER_CHARS = 32 << 10;

    private FailureReport() {}

    /**
     * Writes a report.
     *
     * @param ourName name of this machine
     * @param failed  who was not reached
     * @param sealed  a copy of the mail
     */
    static void write(Path target, String ourName, String sender, List<String> failed, Path sealed, Instant now)
            throws IOException {
        String boundary = "veilgate-" + UUID.randomUUID();
        var text = new StringBuilder();
        text.append("From: <mailer-daemon@").append(ourName).append(">\r\n");
        text.append("To: <").append(sender).append(">\r\n");
        text.append("Date: ").append(DATE.format(now)).append("\r\n");
        text.append("Message-ID: <")
                .append(UUID.randomUUID())
                .append('@')
                .append(ourName)
                .append(">\r\n");
        text.append(
                "Auto-Submitted: auto-replied\r\nSubject: Your sealed mail was not delivered\r\nMIME-Version: 1.0\r\n");
        text.append("Content-Type: multipart/report; report-type=delivery-status;\r\n boundary=\"");
        text.append(boundary).append("\"\r\n\r\n--").append(boundary).append("\r\n");
        text.append("Content-Type: text/plain; charset=us-ascii\r\n\r\n");
        text.append("The next mail server did not take your sealed mail for:\r\n\r\n");
        List<String> named = failed.subList(0, Math.min(failed.size(), MAX_NAMED));
        named.forEach(address -> text.append("  ").append(address).append("\r\n"));
        if (named.size() < failed.size()) {
            text.append("  and ").append(failed.size() - named.size()).append(" more\r\n");
        }
        text.append("\r\nIt was not sent to them, and will not be tried again.\r\n\r\n--")
                .append(boundary);
        text.append("\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; ")
                .append(ourName);
        text.append("\r\n");
        for (String address : named) {
            text.append("\r\nFinal-Recipient: rfc822; ").append(address);
            text.append("\r\nAction: failed\r\nStatus: 5.0.0\r\n");
        }
        text.append("\r\n--").append(boundary).append("\r\nContent-Type: text/rfc822-headers\r\n\r\n");
        int end = text.length() + MAX_HEADER_CHARS;
        for (MailHeader.Field field : outer(sealed).fields()) {
            if (text.length() + field.raw().length() <= end) {
                text.append(field.raw());
            }
        }
        text.append("\r\n--").append(boundary).append("--\r\n");
        Files.writeString(target, text, StandardCharsets.US_ASCII);
    }

    private static MailHeader outer(Path sealed) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(sealed))) {
            return MailHeader.read(in).header();
        } catch (MalformedMailException e) {
            throw new UncheckedIOException(new IOException("a sealed mail of our own has no header", e));
        }
    }
}
