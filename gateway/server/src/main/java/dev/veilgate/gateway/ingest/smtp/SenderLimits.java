package dev.veilgate.gateway.ingest.smtp;

import dev.veilgate.gateway.access.Principal;
import java.time.Clock;
import java.util.Locale;

/** How many messages and recipients a minute. */
final class SenderLimits {
    private final MinuteLimit messagesPerClient;
    private final MinuteLimit messagesPerSender;
    private final MinuteLimit recipientsPerSender;

    SenderLimits(SmtpSettings.Limits limits, Clock clock) {
        this.messagesPerClient = new MinuteLimit(limits.messagesPerMinutePerClient(), clock);
        this.messagesPerSender = new MinuteLimit(limits.messagesPerMinutePerSender(), clock);
        this.recipientsPerSender = new MinuteLimit(limits.recipientsPerMinutePerSender(), clock);
    }

    boolean takeMessage(Connection connection, String reversePath) {
        return messagesPerClient.take(connection.client()) && messagesPerSender.take(sender(connection, reversePath));
    }

    boolean takeRecipient(Connection connection, String reversePath) {
        return recipientsPerSender.take(sender(connection, reversePath));
    }

    private static String sender(Connection connection, String reversePath) {
        return connection
                .principal()
                .map(Principal::name)
                // Reports have no sender: each client is one.
                .orElse(reversePath.isEmpty() ? connection.client() : reversePath.toLowerCase(Locale.ROOT));
    }
}
