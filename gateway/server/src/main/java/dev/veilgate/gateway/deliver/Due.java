package dev.veilgate.gateway.deliver;

import java.util.List;
import java.util.UUID;

/**
 * What is to be sent now in one transaction: a mail to recipients that have the same next hop.
 *
 * @param mail       its id in the queue
 * @param recipients at least one
 */
record Due(UUID mail, List<Recipient> recipients) {
    Due {
        recipients = List.copyOf(recipients);
    }

    /**
     * A recipient that has not got it yet.
     *
     * @param attempts so far
     */
    record Recipient(String address, String domain, int attempts) {}

    List<String> addresses() {
        return recipients.stream().map(Recipient::address).toList();
    }
}
