package dev.veilgate.console.routes;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** What the gateway does not say of a route: where it looks. */
@Component
final class InstalledRoutes {
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;

    InstalledRoutes(JdbcClient jdbc, TransactionTemplate transactions) {
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    Optional<Route.Known> find(String name) {
        return jdbc.sql("SELECT scope, epochs FROM installed_route WHERE name = ?")
                .param(name)
                .query((row, n) -> new Route.Known(
                        row.getString(1), List.of(row.getString(2).split(" "))))
                .optional();
    }

    void remember(String name, Route.Known known) {
        transactions.executeWithoutResult(status -> {
            forget(name);
            jdbc.sql("INSERT INTO installed_route (name, scope, epochs) VALUES (?, ?, ?)")
                    .params(name, known.scope(), String.join(" ", known.epochs()))
                    .update();
        });
    }

    void forget(String name) {
        jdbc.sql("DELETE FROM installed_route WHERE name = ?").param(name).update();
    }
}
