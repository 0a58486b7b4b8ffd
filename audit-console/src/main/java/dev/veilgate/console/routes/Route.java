package dev.veilgate.console.routes;

import dev.veilgate.client.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A route, as the interface has it.
 *
 * @param scope     and epochs are known of those that were installed here
 * @param ends      as the gateway writes it
 * @param secret    of a webhook that was just made
 * @param matches   actions that wait, are done, or were given up
 * @param lastMatch as the gateway writes it; absent if it has found nothing for long, or is an older one
 */
record Route(
        String name,
        List<String> actions,
        @Nullable String scope,
        @Nullable List<String> epochs,
        @Nullable String ends,
        @Nullable String secret,
        @Nullable Long matches,
        @Nullable String lastMatch) {
    /** What is known here of a route. */
    record Known(String scope, List<String> epochs) {}

    static Route of(JsonObject route, Optional<Known> known) throws IOException {
        JsonObject action = route.object("action");
        return new Route(
                route.text("name"),
                List.of(action.text("type") + " " + action.text("target")),
                known.map(Known::scope).orElse(null),
                known.map(Known::epochs).orElse(null),
                route.optionalText("lastEpochEnds").orElse(null),
                route.optionalText("secret").orElse(null),
                route.fields().containsKey("actions") ? matches(route.object("actions")) : null,
                route.optionalText("lastMatch").orElse(null));
    }

    private static long matches(JsonObject counts) throws IOException {
        return counts.number("waiting") + counts.number("done") + counts.number("givenUp");
    }
}
