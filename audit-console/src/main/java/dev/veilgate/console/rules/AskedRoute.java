package dev.veilgate.console.rules;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a route does that approval is asked for: an approval is good for exactly this.
 *
 * @param name   without a colon
 * @param action forward, topic, webhook
 */
public record AskedRoute(String name, String action, String target) {
    private static final Pattern TEXT = Pattern.compile("Route ([^:]+): ([a-z]+) to (.*)", Pattern.DOTALL);

    /** As it stands in the issuing log and in what an approval is bound to. */
    public String text() {
        return "Route " + name + ": " + action + " to " + target;
    }

    /** Of {@link #text}; empty of a search's, which is empty. */
    static Optional<AskedRoute> of(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new AskedRoute(matcher.group(1), matcher.group(2), matcher.group(3)))
                : Optional.empty();
    }
}
