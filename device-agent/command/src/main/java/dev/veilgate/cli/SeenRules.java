package dev.veilgate.cli;

import dev.veilgate.client.GatewayClient;
import dev.veilgate.client.GatewayException;
import dev.veilgate.client.JsonObject;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The rules by which each sender last made keywords, as a gateway saw in headers of envelopes. */
final class SeenRules {
    /** In place of a sender's name, for all mail that no sender of the tenant signed. */
    static final String UNSIGNED = "";

    /** Text for people in its place. */
    static final String UNSIGNED_SHOWN = "(mail that no sender signed)";

    private static final int NOT_FOUND = 404;

    private record Last(long rules, Instant sealed) {
        private Last or(Last other) {
            boolean isOther = other.sealed.isAfter(sealed) || other.sealed.equals(sealed) && other.rules > rules;
            return isOther ? other : this;
        }
    }

    private final Map<String, Last> lastOf;

    private SeenRules(Map<String, Last> lastOf) {
        this.lastOf = lastOf;
    }

    /** Asks a gateway; empty if it is one of before, which does not know. */
    static Optional<SeenRules> ask(GatewayClient client) throws IOException, GatewayException, InterruptedException {
        List<JsonObject> told;
        try {
            told = client.rules();
        } catch (GatewayException e) {
            if (e.status() == NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
        Map<String, Last> lastOf = new TreeMap<>();
        for (JsonObject seen : told) {
            lastOf.merge(seen.text("sender"), new Last(seen.number("rules"), sealed(seen)), Last::or);
        }
        return Optional.of(new SeenRules(lastOf));
    }

    private static Instant sealed(JsonObject seen) throws IOException {
        try {
            return Instant.parse(seen.text("lastSealed"));
        } catch (DateTimeParseException e) {
            throw new IOException("the gateway's answer: lastSealed must be a time", e);
        }
    }

    /** The number of the rules that a sender used last; empty if none were seen. */
    Optional<Long> lastOf(String sender) {
        return Optional.ofNullable(lastOf.get(sender)).map(Last::rules);
    }

    /** When a sender last sealed by any rules. */
    Optional<Instant> lastSealed(String sender) {
        return Optional.ofNullable(lastOf.get(sender)).map(Last::sealed);
    }

    /** Who sealed by rules 1 last, by name. */
    List<String> byRules1() {
        return lastOf.entrySet().stream()
                .filter(entry -> entry.getValue().rules() == 1)
                .map(Map.Entry::getKey)
                .toList();
    }
}
