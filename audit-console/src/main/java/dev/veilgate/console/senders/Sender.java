package dev.veilgate.console.senders;

import dev.veilgate.client.JsonObject;
import dev.veilgate.envelope.SenderPublicKey;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A sender, as the interface has it.
 *
 * @param state       complete, gaps, silent, unregistered, unknown
 * @param credentials by which it may send, in the order of {@link CredentialKind}; null if that is not known
 */
public record Sender(
        String name,
        boolean registered,
        @Nullable String fingerprint,
        @Nullable Instant lastSeen,
        @Nullable Long lastSequence,
        String state,
        List<String> gaps,
        @Nullable List<CredentialKind> credentials) {
    static Sender registered(SenderPublicKey key) {
        return new Sender(key.sender(), true, key.fingerprint(), null, null, "unknown", List.of(), null);
    }

    /** @param known the same one, if it is registered */
    static Sender seen(JsonObject seen, Optional<Sender> known) throws IOException {
        List<String> gaps = new ArrayList<>();
        for (JsonObject gap : seen.list("gaps")) {
            long from = gap.number("from");
            long to = gap.number("to");
            gaps.add(from == to ? String.valueOf(from) : from + "-" + to);
        }
        long forks = seen.number("forks");
        if (forks > 0) {
            gaps.add(forks + " numbers signed twice");
        }
        boolean isSilent = seen.optionalText("silentSince").isPresent();
        String chain = !gaps.isEmpty() ? "gaps" : isSilent ? "silent" : "complete";
        return new Sender(
                seen.text("sender"),
                known.isPresent(),
                known.map(Sender::fingerprint).orElse(null),
                time(seen.text("lastArrived")),
                seen.number("highestSequence"),
                known.isPresent() ? chain : "unregistered",
                gaps,
                null);
    }

    Sender with(List<CredentialKind> held) {
        return new Sender(name, registered, fingerprint, lastSeen, lastSequence, state, gaps, held);
    }

    private static Instant time(String text) throws IOException {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IOException("the gateway's answer: lastArrived must be a time", e);
        }
    }
}
