package dev.veilgate.gateway.deliver;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A message to be sent on.
 *
 * @param reversePath where a report goes; empty for none
 * @param recipients  1 or more
 * @param message     as it is to be sent, CR LF line ends, without dot-stuffing; not copied
 */
@SuppressWarnings("ArrayRecordComponent")
public record OutboundMail(String reversePath, List<String> recipients, byte[] message) {
    private static final int MAX_TRACE_BYTES = 4096;

    /** How the field that this gateway puts in front of what it takes names the protocol where nobody logged in (RFC 3848). */
    private static final List<String> NOBODY_LOGGED_IN =
            List.of(" with SMTP id ", " with SMTPS id ", " with ESMTP id ", " with ESMTPS id ");

    /** @throws IllegalArgumentException if an address could not stand in an SMTP command, or there is no recipient */
    public OutboundMail {
        recipients = List.copyOf(recipients);
        boolean clean = reversePath.matches("[!-~&&[^<>]]*")
                && recipients.stream().allMatch(recipient -> recipient.matches("[!-~&&[^<>]]+@[!-~&&[^<>@]]+"));
        if (!clean || recipients.isEmpty()) {
            throw new IllegalArgumentException("not addresses that mail can be sent to");
        }
    }

    /**
     * Whether a report may go to {@link #reversePath}: not where a stranger wrote it, who may want us to write to somebody. Whether somebody logged in is said by the first
     * field, which is ours.
     */
    boolean isReportable() {
        if (reversePath.isEmpty()) {
            return false;
        }
        String start = new String(message, 0, Math.min(message.length, MAX_TRACE_BYTES), StandardCharsets.ISO_8859_1);
        int end = 0;
        do {
            end = start.indexOf("\r\n", end);
            end = end < 0 ? start.length() : end + 2;
        } while (end < start.length() && (start.charAt(end) == ' ' || start.charAt(end) == '\t'));
        String first = start.substring(0, end).replace("\r\n", "");
        return !first.startsWith("Received: ") || NOBODY_LOGGED_IN.stream().noneMatch(first::contains);
    }
}
