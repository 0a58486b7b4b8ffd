package dev.veilgate.console.rules;

import dev.veilgate.console.http.ProblemException;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** Rules by version; the last one holds. A new installation begins with {@link DefaultRules}. Safe for use by several threads. */
@Component
final class RuleStore {
    private static final String INSTALLATION = "installation";

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final JsonMapper json;
    private final Clock clock;
    private volatile @Nullable Holding holding;

    /** What was read last. */
    private record Holding(Rules rules, RuleBook book) {}

    RuleStore(JdbcClient jdbc, TransactionTemplate transactions, JsonMapper json, Clock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.json = json;
        this.clock = clock;
    }

    Rules rules() {
        return holding().rules();
    }

    RuleBook book() {
        return holding().book();
    }

    private Holding holding() {
        Holding now = holding;
        return now == null ? load() : now;
    }

    private synchronized Holding load() {
        Holding now = holding;
        if (now != null) {
            return now;
        }
        Rules rules = jdbc.sql("SELECT version, rules FROM rule_set ORDER BY version DESC FETCH FIRST 1 ROW ONLY")
                .query((row, n) -> new Rules(row.getLong(1), List.of(json.readValue(row.getString(2), Rule[].class))))
                .optional()
                .orElseGet(() -> insert(new Rules(1, DefaultRules.rules()), INSTALLATION));
        return hold(rules);
    }

    private Holding hold(Rules rules) {
        Holding now = new Holding(rules, RuleBook.of(rules));
        holding = now;
        return now;
    }

    /**
     * Replaces all rules.
     *
     * @param wanted with the version that they were made from
     * @param record called with the new rules before they hold; if it fails, nothing changes
     * @throws ProblemException 409 if there are others meanwhile
     */
    synchronized Rules replace(Rules wanted, String by, Consumer<Rules> record) {
        if (wanted.version() != rules().version()) {
            throw changed();
        }
        Rules next = new Rules(wanted.version() + 1, wanted.rules());
        try {
            transactions.executeWithoutResult(status -> {
                insert(next, by);
                record.accept(next);
            });
        } catch (DuplicateKeyException e) {
            holding = null;
            throw changed();
        }
        return hold(next).rules();
    }

    private static ProblemException changed() {
        return ProblemException.conflict("the rules were changed meanwhile; load them again");
    }

    private Rules insert(Rules rules, String by) {
        jdbc.sql("INSERT INTO rule_set (version, changed, changed_by, rules) VALUES (?, ?, ?, ?)")
                .params(
                        rules.version(),
                        OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC),
                        by,
                        json.writeValueAsString(rules.rules()))
                .update();
        return rules;
    }
}
