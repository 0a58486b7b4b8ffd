package dev.veilgate.cli;

import dev.veilgate.client.JsonObject;
import java.util.List;
import java.util.stream.Collectors;

/** Rules of keywords, by which routes were issued, as a gateway says. */
final class RouteRules {
    private RouteRules() {}

    /** Whether a route was issued by former rules alone, and senders may use later ones. */
    static boolean isFormer(JsonObject route) {
        return Boolean.TRUE.equals(route.fields().get("formerRules"));
    }

    /** The numbers, with commas between them. */
    static String text(JsonObject route) {
        return route.fields().get("rules") instanceof List<?> rules
                ? rules.stream().map(String::valueOf).collect(Collectors.joining(","))
                : "-";
    }
}
