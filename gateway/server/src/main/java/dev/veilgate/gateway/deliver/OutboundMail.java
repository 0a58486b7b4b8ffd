package dev.veilgate.gateway.deliver;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

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
    private static final String TRACE = "Received: from ";
    private static final String IPV6 = "IPv6:";

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
     * A sender who did not log in.
     *
     * @param address     of the client that brought the mail
     * @param greeting    what it called itself
     * @param reversePath what it named as the sender
     */
    record Stranger(String address, String greeting, String reversePath) {}

    /** Who brought it, if nobody logged in: then {@link #reversePath} may be anybody's. Told by the first field, which is ours. */
    Optional<Stranger> stranger() {
        String start = new String(message, 0, Math.min(message.length, MAX_TRACE_BYTES), StandardCharsets.ISO_8859_1);
        int end = 0;
        do {
            end = start.indexOf("\r\n", end);
            end = end < 0 ? start.length() : end + 2;
        } while (end < start.length() && (start.charAt(end) == ' ' || start.charAt(end) == '\t'));
        String first = start.substring(0, end).replace("\r\n", "");
        if (!first.startsWith(TRACE) || NOBODY_LOGGED_IN.stream().noneMatch(first::contains)) {
            return Optional.empty();
        }
        int open = first.indexOf(" ([");
        int close = first.indexOf("])", Math.max(open, 0));
        boolean named = open > 0 && close > open;
        String address = named ? first.substring(open + 3, close) : "";
        return Optional.of(new Stranger(
                address.startsWith(IPV6) ? address.substring(IPV6.length()) : address,
                named ? first.substring(TRACE.length(), open) : "",
                reversePath));
    }
}
