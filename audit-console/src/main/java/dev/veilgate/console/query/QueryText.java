package dev.veilgate.console.query;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A search as the user typed it; of the interface.
 *
 * @param query   1 to 8,192 characters
 * @param mail    read as one of mails
 * @param senders only envelopes that name one of them; none for all
 */
public record QueryText(
        String query,
        String scope,
        boolean mail,
        @Nullable Instant from,
        @Nullable Instant to,
        @Nullable List<String> senders) {
    @Override
    public String toString() {
        return "QueryText[hidden]";
    }
}
