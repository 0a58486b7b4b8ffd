package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.database.Database;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** All stages and the journal's position in one database transaction. */
final class StageTransaction {
    private final Database database;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final List<ArrivalStage> stages;
    private final String gateway;
    private long position;

    /** @param gateway the id of this data directory: several gateways may share a database, each with its own journal */
    StageTransaction(Database database, List<ArrivalStage> stages, String gateway) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.transactions = database.transactions();
        this.stages = List.copyOf(stages);
        this.gateway = gateway;
        this.position = jdbc.sql("SELECT position FROM journal_position WHERE gateway = ?")
                .param(gateway)
                .query(Long.class)
                .optional()
                .orElse(0L);
    }

    /** Behind the last entry whose transaction was committed. */
    long position() {
        return position;
    }

    void apply(List<Applied> batch, long next) {
        transactions.executeWithoutResult(status -> {
            stages.forEach(stage -> stage.apply(batch));
            int moved = jdbc.sql("UPDATE journal_position SET position = ? WHERE gateway = ?")
                    .params(next, gateway)
                    .update();
            if (moved == 0) {
                jdbc.sql("INSERT INTO journal_position (gateway, position) VALUES (?, ?)")
                        .params(gateway, next)
                        .update();
            }
        });
        position = next;
    }

    /** The stages alone, for an entry that was set aside; they run once, however often this succeeds. */
    void applyOnce(long asidePosition, List<Applied> entry) {
        transactions.executeWithoutResult(status -> {
            boolean done = appliedOnce().contains(asidePosition);
            if (!done) {
                stages.forEach(stage -> stage.apply(entry));
                jdbc.sql("INSERT INTO set_aside_applied (gateway, position) VALUES (?, ?)")
                        .params(gateway, asidePosition)
                        .update();
            }
        });
    }

    /** Forgets what was applied by {@link #applyOnce}, except these. */
    void forgetOnceApplied(Collection<Long> butPositions) {
        List<Long> over = new ArrayList<>(appliedOnce());
        over.removeAll(butPositions);
        over.forEach(position -> jdbc.sql("DELETE FROM set_aside_applied WHERE gateway = ? AND position = ?")
                .params(gateway, position)
                .update());
    }

    private List<Long> appliedOnce() {
        return jdbc.sql("SELECT position FROM set_aside_applied WHERE gateway = ?")
                .param(gateway)
                .query(Long.class)
                .list();
    }

    /** Makes durable what was committed. */
    void sync() {
        database.sync();
    }
}
