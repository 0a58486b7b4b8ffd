package dev.veilgate.console.routes;

import dev.veilgate.console.query.QueryTerms;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** What the gateway does not say of a route: where it looks, and for what. */
@Component
final class InstalledRoutes {
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    private final JsonMapper json;

    InstalledRoutes(JdbcClient jdbc, TransactionTemplate transactions, JsonMapper json) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.json = json;
    }

    Optional<Route.Known> find(String name) {
        return jdbc.sql("SELECT scope, epochs, asked, understood FROM installed_route WHERE name = ?")
                .param(name)
                .query((row, n) -> new Route.Known(
                        row.getString(1),
                        List.of(row.getString(2).split(" ")),
                        stored(row.getString(3), NewRoute.class),
                        stored(row.getString(4), QueryTerms.class)))
                .optional();
    }

    private <T> Optional<T> stored(@Nullable String stored, Class<T> as) {
        return Optional.ofNullable(stored).map(text -> json.readValue(text, as));
    }

    void remember(String name, Route.Known known) {
        transactions.executeWithoutResult(status -> {
            forget(name);
            jdbc.sql("INSERT INTO installed_route (name, scope, epochs, asked, understood) VALUES (?, ?, ?, ?, ?)")
                    .param(name)
                    .param(known.scope())
                    .param(String.join(" ", known.epochs()))
                    .param(known.asked().map(json::writeValueAsString).orElse(null))
                    .param(known.understood().map(json::writeValueAsString).orElse(null))
                    .update();
        });
    }

    void forget(String name) {
        jdbc.sql("DELETE FROM installed_route WHERE name = ?").param(name).update();
    }
}
