package dev.veilgate.gateway.ingest.sender;

import dev.veilgate.gateway.database.Database;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

/**
 * Counts mails in the name of a sender of this site whom nothing proves, by day (UTC), for seven days: today and the
 * six before. Sums are those of all gateways of the database.
 *
 * <p>Mails are counted in memory and written by {@link #save}, so that a stranger's mail costs no statement; a kill
 * loses what came since. Each gateway writes its own rows, and whole numbers rather than what is added, so that one
 * that is written again is not doubled.
 *
 * <p>For several threads.
 */
public final class UnprovenMails implements AutoCloseable {
    /** Days of a sum. */
    static final int DAYS = 7;

    private static final Logger LOG = LoggerFactory.getLogger(UnprovenMails.class);

    /** Fate of a mail. */
    public enum Kind {
        /** No index, refused. */
        PLAIN_REFUSED,
        /** No index, taken since the settings say so. */
        PLAIN_TAKEN,
        /** Sealed with an index, refused since the settings say so. */
        SEALED_REFUSED,
        /** Sealed with an index, taken. */
        SEALED_TAKEN
    }

    private record Row(LocalDate day, Kind kind) {}

    private final Database database;
    private final String gateway;
    private final Clock clock;
    private final Instant since;
    private final Map<Row, Long> own = new HashMap<>();
    private final Set<Row> changed = new HashSet<>();
    /** Held while numbers are written: a number that was read before another is not written behind it. */
    private final ReentrantLock saving = new ReentrantLock();
    /** Sums of the other gateways when they were last read. */
    private Map<Row, Long> others = Map.of();

    /** @param gateway whose rows it writes */
    public UnprovenMails(Database database, String gateway, Clock clock) {
        this.database = database;
        this.gateway = gateway;
        this.clock = clock;
        JdbcClient jdbc = database.jdbc();
        this.since = jdbc.sql("SELECT since FROM unproven_sender_since").query(OffsetDateTime.class).list().stream()
                .map(OffsetDateTime::toInstant)
                .findFirst()
                .orElse(Instant.EPOCH);
        own.putAll(rows("gateway = ?"));
        others = rows("gateway <> ?");
    }

    private Map<Row, Long> rows(String whose) {
        Map<Row, Long> found = new HashMap<>();
        database.jdbc()
                .sql("SELECT on_day, kind, SUM(mails) AS mails FROM unproven_sender WHERE " + whose
                        + " AND on_day >= ? GROUP BY on_day, kind")
                .params(gateway, oldest())
                .query(row -> {
                    Kind kind = Kind.valueOf(row.getString("kind"));
                    found.put(new Row(row.getObject("on_day", LocalDate.class), kind), row.getLong("mails"));
                });
        return found;
    }

    private LocalDate today() {
        return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    }

    private LocalDate oldest() {
        return today().minusDays(DAYS - 1L);
    }

    /** Counts a mail. */
    public synchronized void count(Kind kind) {
        Row row = new Row(today(), kind);
        own.merge(row, 1L, Long::sum);
        changed.add(row);
    }

    /** Mails of the last seven days, of all gateways; those of others as of the last {@link #save}. */
    public synchronized long ofLastWeek(Kind kind) {
        LocalDate oldest = oldest();
        return Stream.of(own, others)
                .flatMap(rows -> rows.entrySet().stream())
                .filter(row -> row.getKey().kind == kind && !row.getKey().day.isBefore(oldest))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Since when mails are counted. */
    public Instant since() {
        return since;
    }

    /** Writes what was counted, forgets what is older, and reads what other gateways wrote. */
    public void save() {
        saving.lock();
        try {
            saveChanged();
        } finally {
            saving.unlock();
        }
    }

    private void saveChanged() {
        Map<Row, Long> writing = new HashMap<>();
        synchronized (this) {
            own.keySet().removeIf(row -> row.day.isBefore(oldest()));
            changed.retainAll(own.keySet());
            changed.forEach(row -> writing.put(row, own.getOrDefault(row, 0L)));
            changed.clear();
        }
        try {
            database.transactions().executeWithoutResult(_ -> {
                writing.forEach(this::write);
                database.jdbc()
                        .sql("DELETE FROM unproven_sender WHERE on_day < ?")
                        .param(oldest())
                        .update();
            });
            Map<Row, Long> read = rows("gateway <> ?");
            synchronized (this) {
                others = read;
            }
        } catch (DataAccessException | TransactionException e) {
            synchronized (this) {
                changed.addAll(writing.keySet());
            }
            LOG.debug("counts of unproven senders are not written for now: {}", e.getMessage());
        }
    }

    private void write(Row row, long mails) {
        JdbcClient jdbc = database.jdbc();
        int there = jdbc.sql("UPDATE unproven_sender SET mails = ? WHERE on_day = ? AND gateway = ? AND kind = ?")
                .params(mails, row.day, gateway, row.kind.name())
                .update();
        if (there == 0) {
            jdbc.sql("INSERT INTO unproven_sender (mails, on_day, gateway, kind) VALUES (?, ?, ?, ?)")
                    .params(mails, row.day, gateway, row.kind.name())
                    .update();
        }
    }

    @Override
    public void close() {
        save();
    }
}
