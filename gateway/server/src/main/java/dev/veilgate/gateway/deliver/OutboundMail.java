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
    /** Copies the list. */
    public OutboundMail {
        recipients = List.copyOf(recipients);
    }
}
