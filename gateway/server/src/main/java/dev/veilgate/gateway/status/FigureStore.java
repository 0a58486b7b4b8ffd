package dev.veilgate.gateway.status;

import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.figures.Counts;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Figures of tenants and of the machine by minute, hour and day, in the database.
 *
 * <p>A row says that somebody measured; where there is none, nothing is known. Numbers are added to a row that is
 * there, so that a restart and a clock that was put back go on with it. A tenant has at most {@link Step#kept} rows of
 * a step from a gateway: those that are furthest from the clock, before or after it, go first. So neither a clock that
 * was wrong for a while nor its correction deletes more than as many rows as were written meanwhile.
 */
final class FigureStore {
    /** In place of a tenant's name. */
    static final String MACHINE = "";

    /** Figures of one tenant, or of the machine. */
    record Measured(Counts counts, Levels levels) {}

    /**
     * Figures of one minute, by tenant and {@link #MACHINE}.
     *
     * @param minute its beginning
     */
    record Sample(Instant minute, Map<String, Measured> of) {}

    /**
     * Figures of one step.
     *
     * @param minutes of which something is known, at most those of the step
     */
    record Point(Instant begins, int minutes, Counts counts, Levels levels) {}

    private record Range(long rows, Instant first, Instant last) {}

    private final Database database;
    private final JdbcClient jdbc;
    private final String gateway;

    /** @param gateway whose rows it writes */
    FigureStore(Database database, String gateway) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.gateway = gateway;
    }

    /** Writes all of them or nothing, and forgets what is too much. */
    void add(List<Sample> samples, Instant now) {
        database.transactions().executeWithoutResult(_ -> {
            for (Sample sample : samples) {
                sample.of().forEach((tenant, measured) -> {
                    for (Step step : Step.values()) {
                        if (add(tenant, step, step.begin(sample.minute()), measured)) {
                            limit(tenant, step, now);
                        }
                    }
                });
            }
        });
    }

    /** Whether it made a row. */
    private boolean add(String tenant, Step step, Instant begins, Measured measured) {
        Counts counts = measured.counts();
        Levels levels = measured.levels();
        int there = jdbc.sql("UPDATE figure SET minutes = LEAST(minutes + 1, CAST(? AS INTEGER)),"
                        + " lines = lines + ?, mails = mails + ?, searches = searches + ?,"
                        + " delivered = delivered + ?, failed = failed + ?,"
                        + " envelopes = COALESCE(CAST(? AS BIGINT), envelopes),"
                        + " waiting = GREATEST(COALESCE(waiting, CAST(? AS BIGINT)),"
                        + " COALESCE(CAST(? AS BIGINT), waiting)),"
                        + " backlog = GREATEST(COALESCE(backlog, CAST(? AS BIGINT)),"
                        + " COALESCE(CAST(? AS BIGINT), backlog)),"
                        + " free = LEAST(COALESCE(free, CAST(? AS BIGINT)), COALESCE(CAST(? AS BIGINT), free))"
                        + " WHERE tenant = ? AND step = ? AND begins = ? AND gateway = ?")
                .param(step.minutes())
                .param(counts.lines())
                .param(counts.mails())
                .param(counts.searches())
                .param(counts.delivered())
                .param(counts.failed())
                .param(levels.envelopes())
                .param(levels.waiting())
                .param(levels.waiting())
                .param(levels.backlog())
                .param(levels.backlog())
                .param(levels.free())
                .param(levels.free())
                .param(tenant)
                .param(step.label())
                .param(at(begins))
                .param(gateway)
                .update();
        if (there > 0) {
            return false;
        }
        jdbc.sql("INSERT INTO figure (tenant, step, begins, gateway, minutes, lines, mails, searches, delivered,"
                        + " failed, envelopes, waiting, backlog, free)"
                        + " VALUES (?, ?, ?, ?, 1, ?, ?, ?, ?, ?, CAST(? AS BIGINT), CAST(? AS BIGINT),"
                        + " CAST(? AS BIGINT), CAST(? AS BIGINT))")
                .param(tenant)
                .param(step.label())
                .param(at(begins))
                .param(gateway)
                .param(counts.lines())
                .param(counts.mails())
                .param(counts.searches())
                .param(counts.delivered())
                .param(counts.failed())
                .param(levels.envelopes())
                .param(levels.waiting())
                .param(levels.backlog())
                .param(levels.free())
                .update();
        return true;
    }

    private void limit(String tenant, Step step, Instant now) {
        Range range = range(tenant, step);
        while (range.rows() > step.kept()) {
            Duration before = Duration.between(range.first(), now).abs();
            Duration after = Duration.between(now, range.last()).abs();
            jdbc.sql("DELETE FROM figure WHERE tenant = ? AND step = ? AND gateway = ? AND begins = ?")
                    .params(
                            tenant,
                            step.label(),
                            gateway,
                            at(before.compareTo(after) >= 0 ? range.first() : range.last()))
                    .update();
            range = range(tenant, step);
        }
    }

    private Range range(String tenant, Step step) {
        return jdbc.sql("SELECT COUNT(*), MIN(begins), MAX(begins) FROM figure"
                        + " WHERE tenant = ? AND step = ? AND gateway = ?")
                .params(tenant, step.label(), gateway)
                .query((row, n) -> new Range(row.getLong(1), instant(row, 2), instant(row, 3)))
                .single();
    }

    /**
     * Figures of a tenant, and of this machine where they were measured at the same time, oldest first.
     *
     * @param count steps up to the present one, which is not over
     */
    List<Point> points(String tenant, Step step, int count, Instant now) {
        Map<Instant, Point> points = new TreeMap<>();
        // Each gateway has a store of its own; the database's actions wait for all.
        read(" AND tenant = ?", tenant, step, count, now).forEach(point -> points.put(point.begins(), point));
        read(" AND tenant = '' AND gateway = ?", gateway, step, count, now)
                .forEach(point -> points.computeIfPresent(point.begins(), (_, known) -> join(known, point)));
        return new ArrayList<>(points.values());
    }

    private static Point join(Point tenant, Point machine) {
        Levels levels = new Levels(
                tenant.levels().envelopes(),
                tenant.levels().waiting(),
                machine.levels().backlog(),
                machine.levels().free());
        return new Point(tenant.begins(), tenant.minutes(), tenant.counts(), levels);
    }

    private List<Point> read(String whose, String value, Step step, int count, Instant now) {
        Instant last = step.begin(now);
        return jdbc.sql("SELECT begins, MAX(minutes), SUM(lines), SUM(mails), SUM(searches), SUM(delivered),"
                        + " SUM(failed), SUM(envelopes), MAX(waiting), MAX(backlog), MIN(free) FROM figure"
                        + " WHERE step = ? AND begins BETWEEN ? AND ?" + whose + " GROUP BY begins")
                .params(step.label(), at(last.minus(step.length().multipliedBy(count - 1L))), at(last), value)
                .query((row, n) -> new Point(
                        instant(row, 1),
                        row.getInt(2),
                        new Counts(row.getLong(3), row.getLong(4), row.getLong(5), row.getLong(6), row.getLong(7)),
                        new Levels(number(row, 8), number(row, 9), number(row, 10), number(row, 11))))
                .list();
    }

    private static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long number = row.getLong(column);
        return row.wasNull() ? null : number;
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
