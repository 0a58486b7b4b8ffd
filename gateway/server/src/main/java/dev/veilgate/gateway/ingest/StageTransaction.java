package dev.veilgate.gateway.ingest;

import dev.veilgate.gateway.database.Database;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * All stages and the journal's position in one database transaction. Where the journal is applied up to is what the database says, in each
 * transaction anew: it may have been closed or restored, and be older than it was.
 */
final class StageTransaction {
    private final Database database;
    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final List<ArrivalStage> stages;
    private final String gateway;
    /** The greatest position that the database may have from here: it was found at the first look, or tried since. */
    private @Nullable Long tried;

    /** What the database was at last, by what it said or took. */
    private long known;

    /**
     * An entry of the journal.
     *
     * @param next position behind it
     */
    record Staged(Applied entry, long next) {}

    /** @param gateway the id of this data directory: several gateways may share a database, each with its own journal */
    StageTransaction(Database database, List<ArrivalStage> stages, String gateway) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.transactions = database.transactions();
        this.stages = List.copyOf(stages);
        this.gateway = gateway;
    }

    /**
     * Behind the last entry whose transaction was committed. Locks what it reads, so that it fails where nothing can be written.
     *
     * @throws ForeignPositionException if another gateway has moved it on
     */
    long position() {
        return Objects.requireNonNull(transactions.execute(status -> locked()));
    }

    /** As {@link #position}, but waits for no transaction, and does not see whether anything can be written. */
    long positionUnlocked() {
        return stored("").orElse(0L);
    }

    private Optional<Long> stored(String lock) {
        return jdbc.sql("SELECT position FROM journal_position WHERE gateway = ?" + lock)
                .param(gateway)
                .query(Long.class)
                .optional();
    }

    private long locked() {
        Optional<Long> stored = stored(" FOR UPDATE");
        if (stored.isEmpty()) {
            jdbc.sql("INSERT INTO journal_position (gateway, position) VALUES (?, 0)")
                    .param(gateway)
                    .update();
        }
        long position = stored.orElse(0L);
        if (tried == null) {
            tried = position;
        }
        if (position > tried) {
            throw new ForeignPositionException(gateway, position, known);
        }
        known = position;
        return position;
    }

    /**
     * Runs the stages for what the database does not have yet, and moves its position on. If it lacks what is before the batch, too, nothing is done.
     *
     * @param batch in the journal's order, without gaps but for what is passed over
     * @param from  position at which the batch begins
     * @param next  position behind it
     * @return the database's position: at least {@code next}, or less than {@code from}
     * @throws ForeignPositionException if another gateway has moved it on
     */
    long apply(List<Staged> batch, long from, long next) {
        long staged = Objects.requireNonNull(transactions.execute(status -> {
            long position = locked();
            if (position < from || position >= next) {
                return position;
            }
            List<Applied> lacking = batch.stream()
                    .filter(entry -> entry.next() > position)
                    .map(Staged::entry)
                    .toList();
            tried = Math.max(Objects.requireNonNull(tried), next); // a commit that fails for us alone counts
            stages.forEach(stage -> stage.apply(lacking));
            jdbc.sql("UPDATE journal_position SET position = ? WHERE gateway = ?")
                    .params(next, gateway)
                    .update();
            return next;
        }));
        known = staged;
        return staged;
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

    /** Positions of what was applied by {@link #applyOnce} and is not forgotten. */
    List<Long> appliedOnce() {
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
