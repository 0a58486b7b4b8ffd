package dev.veilgate.gateway.route;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.peks.RecordSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * What routes have to do, one row for each route and envelope, in the database that several gateways may share. Who takes a row pushes the time at which it is due on
 * by a lease; if that gateway ends, another takes it then.
 */
@Component
final class ActionQueue {
    static final Duration LEASE = Duration.ofMinutes(1);
    /** How long it is remembered what was done: as long as the same mail may be submitted again. */
    static final Duration REMEMBERED = Duration.ofDays(7);

    private static final String WAITING = "waiting";
    private static final String DONE = "done";
    private static final String GIVEN_UP = "given-up";

    /** A row that is taken. */
    record Taken(UUID route, Notice notice, int attempts) {
        /** Puts the route's name in. */
        Taken named(Route of) {
            return new Taken(
                    route,
                    new Notice(
                            of.name(),
                            notice.delivery(),
                            notice.tenant(),
                            notice.envelope(),
                            notice.sender(),
                            notice.records(),
                            notice.arrived()),
                    attempts);
        }
    }

    /** How many of a route's actions are in which state. */
    record Counts(
            long waiting, long done, long givenUp, @Nullable Instant last) {
        static final Counts NONE = new Counts(0, 0, 0, null);
    }

    private final JdbcClient jdbc;
    private final Clock clock;
    private final Semaphore more = new Semaphore(0);

    ActionQueue(Database database, Clock clock) {
        this.jdbc = database.jdbc();
        this.clock = clock;
    }

    /** Adds within the caller's transaction, unless the route has found this envelope before. */
    boolean add(RouteTable.Match match, Arrival arrival) {
        Envelope envelope = arrival.envelope();
        UUID route = match.route().id();
        return jdbc.sql(
                                "INSERT INTO route_action"
                                        + " (route, tenant, envelope, sender, records, arrived, state, attempts, due)"
                                        + " SELECT CAST(? AS UUID), CAST(? AS VARCHAR), CAST(? AS UUID), CAST(? AS VARCHAR),"
                                        + " CAST(? AS BYTEA), CAST(? AS TIMESTAMP WITH TIME ZONE), CAST(? AS VARCHAR), 0,"
                                        + " CAST(? AS TIMESTAMP WITH TIME ZONE)"
                                        + " WHERE NOT EXISTS (SELECT 1 FROM route_action WHERE route = ? AND tenant = ? AND envelope = ?)")
                        .params(
                                route,
                                envelope.tenant(),
                                envelope.id(),
                                envelope.sender(),
                                match.records().toBitmap(RecordSet.MAX_RECORDS),
                                RouteStore.at(arrival.arrived()),
                                WAITING,
                                RouteStore.at(clock.instant()),
                                route,
                                envelope.tenant(),
                                envelope.id())
                        .update()
                > 0;
    }

    /** Something was added: whoever waits need not wait longer. */
    void wake() {
        more.release();
    }

    /** Until something is added here, or for a moment: other gateways add, too, and time passes. */
    void await(long millis) throws InterruptedException {
        if (more.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
            more.drainPermits();
        }
    }

    /** Takes what is due, oldest first. */
    List<Taken> take(int limit, Collection<UUID> butOfRoutes) {
        Instant now = clock.instant();
        List<UUID> excluded = butOfRoutes.isEmpty() ? List.of(new UUID(0, 0)) : List.copyOf(butOfRoutes);
        List<Taken> due = jdbc.sql(
                        "SELECT route, tenant, envelope, sender, records, arrived, attempts FROM route_action"
                                + " WHERE state = :state AND due <= :now AND route NOT IN (:excluded)"
                                + " ORDER BY due FETCH FIRST " + limit + " ROWS ONLY")
                .param("state", WAITING)
                .param("now", RouteStore.at(now))
                .param("excluded", excluded)
                .query((row, n) -> new Taken(
                        row.getObject(1, UUID.class),
                        new Notice(
                                "",
                                row.getObject(1, UUID.class) + "/" + row.getObject(3, UUID.class),
                                row.getString(2),
                                row.getObject(3, UUID.class),
                                row.getString(4),
                                RecordSet.fromBitmap(row.getBytes(5), RecordSet.MAX_RECORDS),
                                row.getObject(6, OffsetDateTime.class).toInstant()),
                        row.getInt(7)))
                .list();
        return due.stream().filter(taken -> lease(taken, now)).toList();
    }

    private boolean lease(Taken taken, Instant now) {
        return jdbc.sql("UPDATE route_action SET due = ?, attempts = attempts + 1"
                                + " WHERE route = ? AND tenant = ? AND envelope = ? AND state = ? AND attempts = ?")
                        .params(
                                RouteStore.at(now.plus(LEASE)),
                                taken.route,
                                taken.notice.tenant(),
                                taken.notice.envelope(),
                                WAITING,
                                taken.attempts)
                        .update()
                > 0;
    }

    /** Marks it as done, within the caller's transaction if there is one. Whether nobody had before. */
    boolean done(Taken taken) {
        return end(taken, DONE);
    }

    /** Marks it as not to be tried again. */
    void giveUp(Taken taken) {
        end(taken, GIVEN_UP);
    }

    private boolean end(Taken taken, String state) {
        return jdbc.sql("UPDATE route_action SET state = ?, due = ?"
                                + " WHERE route = ? AND tenant = ? AND envelope = ? AND state = ?")
                        .params(
                                state,
                                RouteStore.at(clock.instant().plus(REMEMBERED)),
                                taken.route,
                                taken.notice.tenant(),
                                taken.notice.envelope(),
                                WAITING)
                        .update()
                > 0;
    }

    /** To be tried again. */
    void again(Taken taken, Instant due) {
        jdbc.sql("UPDATE route_action SET due = ? WHERE route = ? AND tenant = ? AND envelope = ? AND state = ?")
                .params(RouteStore.at(due), taken.route, taken.notice.tenant(), taken.notice.envelope(), WAITING)
                .update();
    }

    /** Deletes those of a route that is not there any more. */
    void drop(UUID route) {
        jdbc.sql("DELETE FROM route_action WHERE route = ? AND NOT EXISTS (SELECT 1 FROM route WHERE id = ?)")
                .params(route, route)
                .update();
    }

    /** Forgets what was done or given up long ago. */
    void forget() {
        jdbc.sql("DELETE FROM route_action WHERE state <> ? AND due < ?")
                .params(WAITING, RouteStore.at(clock.instant()))
                .update();
    }

    /** Actions that wait. */
    long waiting() {
        return jdbc.sql("SELECT COUNT(*) FROM route_action WHERE state = ?")
                .param(WAITING)
                .query(Long.class)
                .single();
    }

    /** By route. */
    Map<UUID, Counts> counts(String tenant) {
        record Row(UUID route, String state, long count, Instant last) {}
        Map<UUID, List<Row>> byRoute = jdbc
                .sql(
                        "SELECT route, state, COUNT(*), MAX(arrived) FROM route_action WHERE tenant = ? GROUP BY route, state")
                .param(tenant)
                .query((row, n) -> new Row(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        row.getLong(3),
                        row.getObject(4, OffsetDateTime.class).toInstant()))
                .list()
                .stream()
                .collect(Collectors.groupingBy(Row::route));
        return byRoute.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> {
            Map<String, Long> count = each.getValue().stream().collect(Collectors.toMap(Row::state, Row::count));
            Instant last = each.getValue().stream()
                    .map(Row::last)
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            return new Counts(
                    count.getOrDefault(WAITING, 0L),
                    count.getOrDefault(DONE, 0L),
                    count.getOrDefault(GIVEN_UP, 0L),
                    last);
        }));
    }
}
