package dev.veilgate.console.logsink;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Durable position of one receiver: which entries it has acknowledged, and which batch is begun. Moves by comparing
 * what is there with what was read: who comes second learns that somebody else sends, too.
 */
class SinkPosition {
    private static final int SECRET_BYTES = 32;

    private final JdbcClient jdbc;
    private final TransactionTemplate transactions;
    private final String receiver;
    private final boolean isH2;

    SinkPosition(JdbcClient jdbc, TransactionTemplate transactions, String receiver) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.receiver = receiver;
        this.isH2 = jdbc.sql("SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'SETTINGS'")
                        .query(Long.class)
                        .single()
                > 0;
    }

    /**
     * Entry that was acknowledged.
     *
     * @param digest of it, hex
     */
    record Mark(long number, String digest) {
        /** Before the first entry. */
        static final Mark NONE = new Mark(0, "");
    }

    /**
     * Position as it was read.
     *
     * @param number  of the last entry that is acknowledged
     * @param sending of the last entry of the batch that is begun; the same if none is
     * @param secret  key of the marks of entries
     */
    record Place(long number, long sending, byte[] secret) {
        @Override
        public String toString() {
            return "Place[" + number + ", " + sending + "]";
        }
    }

    /** The position; that before the first entry if nothing was ever sent. */
    Place read() {
        return transactions.execute(_ -> {
            List<Place> found = jdbc.sql("SELECT number, sending, secret FROM log_sink WHERE receiver = ?")
                    .param(receiver)
                    .query((row, _) -> new Place(
                            row.getLong(1), row.getLong(2), HexFormat.of().parseHex(row.getString(3))))
                    .list();
            if (!found.isEmpty()) {
                return found.getFirst();
            }
            byte[] secret = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(secret);
            jdbc.sql("INSERT INTO log_sink (receiver, number, sending, secret) VALUES (?, 0, 0, ?)")
                    .params(receiver, HexFormat.of().formatHex(secret))
                    .update();
            return new Place(0, 0, secret);
        });
    }

    /** Entries that were acknowledged, the newest first: all of late, fewer of before. */
    List<Mark> marks() {
        return jdbc.sql("SELECT number, digest FROM log_sink_mark WHERE receiver = ? ORDER BY number DESC")
                .param(receiver)
                .query((row, _) -> new Mark(row.getLong(1), row.getString(2)))
                .list();
    }

    /** Begins a batch, durably: from now on it is this one that is sent, and no other. */
    void begin(Place before, long sending) {
        change("UPDATE log_sink SET sending = ? WHERE receiver = ? AND number = ? AND sending = ?", before, sending);
        sync();
    }

    /** Notes that a batch is acknowledged. */
    void advance(Place before, Mark acknowledged) {
        transactions.executeWithoutResult(_ -> {
            change(
                    "UPDATE log_sink SET number = sending WHERE sending = ? AND receiver = ? AND number = ?"
                            + " AND sending = ?",
                    before,
                    acknowledged.number());
            put(acknowledged);
            thin();
        });
    }

    /** Puts the position back to what the log still has. */
    void putBack(Place before, Mark to) {
        transactions.executeWithoutResult(_ -> {
            jdbc.sql("DELETE FROM log_sink_mark WHERE receiver = ? AND number > ?")
                    .params(receiver, to.number())
                    .update();
            change(
                    "UPDATE log_sink SET number = ? WHERE receiver = ? AND number = ? AND sending = ?",
                    before,
                    to.number());
            jdbc.sql("UPDATE log_sink SET sending = number WHERE receiver = ?")
                    .param(receiver)
                    .update();
        });
    }

    private void change(String sql, Place before, long value) {
        int changed = jdbc.sql(sql)
                .params(value, receiver, before.number(), before.sending())
                .update();
        if (changed != 1) {
            throw new IllegalStateException(
                    "the position in the database was moved by another console: two send the same log");
        }
    }

    private void put(Mark mark) {
        jdbc.sql("INSERT INTO log_sink_mark (receiver, number, digest) VALUES (?, ?, ?)")
                .params(receiver, mark.number(), mark.digest())
                .update();
    }

    /** Keeps marks whose distances grow with their age. */
    private void thin() {
        List<Mark> all = marks();
        long newest = all.getFirst().number();
        List<Long> dropped = new ArrayList<>();
        for (int i = 1; i + 1 < all.size(); i++) {
            long age = newest - all.get(i).number();
            boolean isNeeded = Long.numberOfLeadingZeros(age)
                    != Long.numberOfLeadingZeros(newest - all.get(i + 1).number());
            if (!isNeeded) {
                dropped.add(all.get(i).number());
            }
        }
        for (long number : dropped) {
            jdbc.sql("DELETE FROM log_sink_mark WHERE receiver = ? AND number = ?")
                    .params(receiver, number)
                    .update();
        }
    }

    /** H2 says that it has committed up to half a second before that is on the disk. */
    private void sync() {
        if (isH2) {
            jdbc.sql("CHECKPOINT SYNC").update();
        }
    }
}
