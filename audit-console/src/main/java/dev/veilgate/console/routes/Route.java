package dev.veilgate.console.routes;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.veilgate.client.JsonObject;
import dev.veilgate.console.query.QueryTerms;
import java.io.IOException;
import java.util.ArrayList;
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
 * @param rules     of keywords, by which it was issued; absent if the gateway is an older one
 * @param former    whether it was issued by former rules alone, so that it misses what later ones find otherwise
 * @param renewable whether its query is known here, so that it can be issued again
 * @param query      as it was typed; for operators and approvers only, and not where a rule hides keywords in the log
 * @param understood how it was read when the route was installed; for the same
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Route(
        String name,
        List<String> actions,
        @Nullable String scope,
        @Nullable List<String> epochs,
        @Nullable String ends,
        @Nullable String secret,
        @Nullable Long matches,
        @Nullable String lastMatch,
        @Nullable List<Integer> rules,
        boolean former,
        boolean renewable,
        @Nullable String query,
        @Nullable QueryTerms understood) {
    /**
     * What is known here of a route.
     *
     * @param asked      what somebody asked for; empty if it was installed before that was kept
     * @param understood how its query was read then; empty if that is not to be shown
     */
    record Known(String scope, List<String> epochs, Optional<NewRoute> asked, Optional<QueryTerms> understood) {}

    /** @param isTold whether whoever looks may know what it looks for */
    static Route of(JsonObject route, Optional<Known> known, boolean isTold) throws IOException {
        JsonObject action = route.object("action");
        String does = action.text("type") + " " + action.text("target");
        Optional<Known> same = known.filter(each ->
                each.asked().filter(asked -> asked.does().equals(does)).isPresent()); // else another is in its place
        return new Route(
                route.text("name"),
                List.of(does),
                known.map(Known::scope).orElse(null),
                known.map(Known::epochs).orElse(null),
                route.optionalText("lastEpochEnds").orElse(null),
                route.optionalText("secret").orElse(null),
                route.fields().containsKey("actions") ? matches(route.object("actions")) : null,
                route.optionalText("lastMatch").orElse(null),
                rules(route),
                Boolean.TRUE.equals(route.fields().get("formerRules")),
                same.isPresent(),
                same.filter(each -> isTold && each.understood().isPresent())
                        .flatMap(Known::asked)
                        .map(asked -> asked.checkedQuery().query())
                        .orElse(null),
                same.filter(each -> isTold).flatMap(Known::understood).orElse(null));
    }

    private static @Nullable List<Integer> rules(JsonObject route) throws IOException {
        if (!(route.fields().get("rules") instanceof List<?> rules)) {
            return null;
        }
        List<Integer> numbers = new ArrayList<>();
        for (Object each : rules) {
            if (!(each instanceof Number number)) {
                throw new IOException("the gateway's answer: rules must be numbers");
            }
            numbers.add(number.intValue());
        }
        return numbers;
    }

    private static long matches(JsonObject counts) throws IOException {
        return counts.number("waiting") + counts.number("done") + counts.number("givenUp");
    }

    @Override
    public String toString() {
        return "Route[" + name + "]";
    }
}
