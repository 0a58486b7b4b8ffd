package dev.veilgate.gateway.deliver;

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
    /** @throws IllegalArgumentException if an address could not stand in an SMTP command, or there is no recipient */
    public OutboundMail {
        recipients = List.copyOf(recipients);
        boolean clean = reversePath.matches("[!-~&&[^<>]]*")
                && recipients.stream().allMatch(recipient -> recipient.matches("[!-~&&[^<>]]+@[!-~&&[^<>@]]+"));
        if (!clean || recipients.isEmpty()) {
            throw new IllegalArgumentException("not addresses that mail can be sent to");
        }
    }
}
