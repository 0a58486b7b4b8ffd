package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.database.Database;
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

    /** Makes durable what was committed. */
    void sync() {
        database.sync();
    }
}
