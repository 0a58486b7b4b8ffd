package dev.veilgate.console.rules;

import dev.veilgate.console.identity.User;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** How often somebody was allowed something by a rule in the last hour; kept in the database, so that a restart forgets nothing. */
@Component
final class HourlyLimit {
    private static final Duration HOUR = Duration.ofHours(1);

    private final JdbcClient jdbc;
    private final Clock clock;

    HourlyLimit(JdbcClient jdbc, Clock clock) {
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** The first of the rules that allows no more this hour. */
    Optional<Rule> exhausted(User user, List<Rule> rules) {
        return rules.stream()
                .filter(rule -> rule.perHour() != null && used(user, rule) >= rule.perHour())
                .findFirst();
    }

    private int used(User user, Rule rule) {
        return jdbc.sql("SELECT COUNT(*) FROM authorised WHERE actor = ? AND rule = ? AND at > ?")
                .params(
                        user.id(),
                        rule.name(),
                        ApprovalStore.time(clock.instant().minus(HOUR)))
                .query(Integer.class)
                .single();
    }

    void count(User user, List<Rule> rules) {
        for (Rule rule : rules) {
            if (rule.perHour() != null) {
                jdbc.sql("DELETE FROM authorised WHERE actor = ? AND at <= ?")
                        .params(user.id(), ApprovalStore.time(clock.instant().minus(HOUR)))
                        .update();
                jdbc.sql("INSERT INTO authorised (actor, rule, at) VALUES (?, ?, ?)")
                        .params(user.id(), rule.name(), ApprovalStore.time(clock.instant()))
                        .update();
            }
        }
    }
}
