package dev.veilgate.console.sweep;

import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Counts of sweeps by sender. */
@Component
class SweptSenders {
    /** Most numbers of a sender that are kept by name; the rest is counted. */
    private static final int MOST_NOT_GIVEN = 1_000;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final Clock clock;

    SweptSenders(JdbcClient jdbc, TransactionTemplate transactions, Clock clock) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Counts of one sender.
     *
     * @param highest the highest number of its chain that it was ever seen to have signed; 0 of mail, which has none
     */
    record Counts(
            String sender,
            long highest,
            long drawn,
            long checked,
            long empty,
            long notChecked,
            long notOpenable,
            long notGiven,
            Instant last) {
        /** Whether the gateway chose what was drawn. */
        boolean isListed() {
            return highest == 0 && drawn > 0;
        }
    }

    /** Highest number that a sender is known to have signed, from now on at least this one: a gateway may say less. */
    long highest(String sender, long known) {
        return transactions.execute(_ -> {
            long before = jdbc.sql("SELECT highest FROM index_sweep WHERE sender = ?")
                    .param(sender)
                    .query(Long.class)
                    .optional()
                    .orElse(-1L);
            if (before < 0) {
                jdbc.sql("INSERT INTO index_sweep (sender, highest, last_round) VALUES (?, ?, ?)")
                        .params(sender, known, now())
                        .update();
            } else {
                jdbc.sql("UPDATE index_sweep SET highest = ?, last_round = ? WHERE sender = ?")
                        .params(Math.max(before, known), now(), sender)
                        .update();
            }
            return Math.max(before, known);
        });
    }

    /** Counts a draw, and keeps its number where the gateway did not give it. */
    void count(String sender, long number, Draw draw) {
        transactions.executeWithoutResult(_ -> {
            count(sender, draw.column());
            jdbc.sql("DELETE FROM index_sweep_missing WHERE sender = ? AND number = ?")
                    .params(sender, number)
                    .update();
            if (draw != Draw.NOT_GIVEN) {
                jdbc.sql("UPDATE index_sweep SET highest = ? WHERE sender = ? AND highest < ?")
                        .params(number, sender, number)
                        .update();
            } else if (countNotGiven(sender) < MOST_NOT_GIVEN) {
                jdbc.sql("INSERT INTO index_sweep_missing (sender, number) VALUES (?, ?)")
                        .params(sender, number)
                        .update();
            }
        });
    }

    private long countNotGiven(String sender) {
        return jdbc.sql("SELECT COUNT(*) FROM index_sweep_missing WHERE sender = ?")
                .param(sender)
                .query(Long.class)
                .single();
    }

    /** Counts a draw of what has no chain, and no numbers. */
    void countListed(String sender, Draw draw) {
        highest(sender, 0);
        transactions.executeWithoutResult(_ -> count(sender, draw.column()));
    }

    private void count(String sender, String column) {
        jdbc.sql("UPDATE index_sweep SET drawn = drawn + 1, " + column + " = " + column + " + 1 WHERE sender = ?")
                .param(sender)
                .update();
    }

    private OffsetDateTime now() {
        return OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    /** All senders that were swept, by name. */
    List<Counts> all() {
        return jdbc.sql("SELECT sender, highest, drawn, checked, empty, not_checked, not_openable, not_given,"
                        + " last_round FROM index_sweep ORDER BY sender")
                .query((row, _) -> new Counts(
                        row.getString(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        row.getLong(5),
                        row.getLong(6),
                        row.getLong(7),
                        row.getLong(8),
                        row.getObject(9, OffsetDateTime.class).toInstant()))
                .list();
    }

    /** Numbers of a sender that the gateway did not give when they were drawn last, lowest first. */
    List<Long> notGiven(String sender, int most) {
        return jdbc.sql("SELECT number FROM index_sweep_missing WHERE sender = ? ORDER BY number LIMIT " + most)
                .param(sender)
                .query(Long.class)
                .list();
    }
}
