package dev.veilgate.console.routes;

import dev.veilgate.console.http.ProblemException;
import dev.veilgate.console.query.QueryText;
import dev.veilgate.console.rules.AskedRoute;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A route to be, as the interface has it; see {@link #check}.
 *
 * @param action forward, topic, webhook
 * @param epochs how many, the present one first
 */
record NewRoute(
        @Nullable String name,
        @Nullable QueryText query,
        @Nullable String action,
        @Nullable String target,
        @Nullable Integer epochs,
        @Nullable String reason) {
    static final int MAX_EPOCHS = 24;

    /** As {@code veilgate route add}: the present one and the next. */
    private static final int EPOCHS = 2;

    private static final int MAX_TARGET = 1000;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final List<String> ACTIONS = List.of("forward", "topic", "webhook");

    /** @throws ProblemException 400 naming what is wrong; whether the target can be, the gateway says */
    void check() {
        require(
                name != null && NAME.matcher(name).matches(),
                "name is 1 to 64 letters, digits, '.', '-' and '_', the first a letter or digit");
        require(action != null && ACTIONS.contains(action), "action is forward, topic or webhook");
        require(
                target != null && !target.isBlank() && target.length() <= MAX_TARGET,
                "target has 1 to " + MAX_TARGET + " characters");
        require(epochs == null || epochs >= 1 && epochs <= MAX_EPOCHS, "epochs is 1 to " + MAX_EPOCHS);
        require(query != null, "query is needed");
    }

    private static void require(boolean holds, String detail) {
        if (!holds) {
            throw ProblemException.malformed(detail);
        }
    }

    String checkedName() {
        return Objects.requireNonNull(name);
    }

    QueryText checkedQuery() {
        return Objects.requireNonNull(query);
    }

    int epochCount() {
        return epochs == null ? EPOCHS : epochs;
    }

    Map<String, String> actionJson() {
        return Map.of("type", Objects.requireNonNull(action), "target", Objects.requireNonNull(target));
    }

    /** The same for another reason, of which nothing is kept. */
    NewRoute because(@Nullable String other) {
        return new NewRoute(name, query, action, target, epochs, other);
    }

    /** What it does, as {@link Route} has it. */
    String does() {
        return action + " " + target;
    }

    /** What an approval is bound to beside the query. */
    String about() {
        return new AskedRoute(checkedName(), Objects.requireNonNull(action), Objects.requireNonNull(target)).text();
    }
}
