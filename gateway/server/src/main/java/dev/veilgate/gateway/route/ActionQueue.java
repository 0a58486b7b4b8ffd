package dev.veilgate.gateway.route;

import dev.veilgate.envelope.Envelope;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.gateway.store.Arrival;
import dev.veilgate.gateway.store.EnvelopeName;
import dev.veilgate.gateway.store.NamedEnvelopes;
import dev.veilgate.peks.RecordSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
                            notice.digest(),
                            notice.sender(),
                            notice.records(),
                            notice.arrived()),
                    attempts);
        }
    }

    /**
     * How many of a route's actions are in which state.
     *
     * @param last         when the newest message of them arrived
     * @param waitingSince when the oldest message arrived whose action waits
     */
    record Counts(
            long waiting,
            long done,
            long givenUp,
            @Nullable Instant last,
            @Nullable Instant waitingSince) {
        static final Counts NONE = new Counts(0, 0, 0, null, null);
    }

    private final JdbcClient jdbc;
    private final NamedEnvelopes envelopes;
    private final Clock clock;
    private final Semaphore more = new Semaphore(0);

    /** @param envelopes tell what rows of earlier versions mean, which have no digest */
    ActionQueue(Database database, NamedEnvelopes envelopes, Clock clock) {
        this.jdbc = database.jdbc();
        this.envelopes = envelopes;
        this.clock = clock;
    }

    /** Adds within the caller's transaction, unless the route has found this envelope before. */
    boolean add(RouteTable.Match match, Arrival arrival) {
        Envelope envelope = arrival.envelope();
        EnvelopeName name = EnvelopeName.of(envelope);
        UUID route = match.route().id();
        if (isNotedOfBefore(route, envelope.tenant(), name)) {
            return false;
        }
        return jdbc.sql("INSERT INTO route_action"
                                + " (route, tenant, envelope, digest, sender, records, arrived, state, attempts, due)"
                                + " SELECT CAST(? AS UUID), CAST(? AS VARCHAR), CAST(? AS UUID), CAST(? AS VARCHAR),"
                                + " CAST(? AS VARCHAR), CAST(? AS BYTEA), CAST(? AS TIMESTAMP WITH TIME ZONE),"
                                + " CAST(? AS VARCHAR), 0, CAST(? AS TIMESTAMP WITH TIME ZONE)"
                                + " WHERE NOT EXISTS (SELECT 1 FROM route_action"
                                + " WHERE route = ? AND tenant = ? AND envelope = ? AND digest = ?)")
                        .params(
                                route,
                                envelope.tenant(),
                                name.id(),
                                name.digest(),
                                envelope.sender(),
                                match.records().toBitmap(RecordSet.MAX_RECORDS),
                                RouteStore.at(arrival.arrived()),
                                WAITING,
                                RouteStore.at(clock.instant()),
                                route,
                                envelope.tenant(),
                                name.id(),
                                name.digest())
                        .update()
                > 0;
    }

    /** Whether an earlier version noted it, which knew the id alone. */
    private boolean isNotedOfBefore(UUID route, String tenant, EnvelopeName name) {
        long noted = jdbc.sql("SELECT COUNT(*) FROM route_action"
                        + " WHERE route = ? AND tenant = ? AND envelope = ? AND digest = ''")
                .params(route, tenant, name.id())
                .query(Long.class)
                .single();
        return noted > 0 && envelopes.means(tenant, name);
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
                        "SELECT route, tenant, envelope, digest, sender, records, arrived, attempts FROM route_action"
                                + " WHERE state = :state AND due <= :now AND route NOT IN (:excluded)"
                                + " ORDER BY due, arrived FETCH FIRST " + limit + " ROWS ONLY")
                .param("state", WAITING)
                .param("now", RouteStore.at(now))
                .param("excluded", excluded)
                .query((row, n) -> new Taken(
                        row.getObject(1, UUID.class),
                        new Notice(
                                "",
                                delivery(row.getObject(1, UUID.class), row.getObject(3, UUID.class), row.getString(4)),
                                row.getString(2),
                                row.getObject(3, UUID.class),
                                row.getString(4),
                                row.getString(5),
                                RecordSet.fromBitmap(row.getBytes(6), RecordSet.MAX_RECORDS),
                                row.getObject(7, OffsetDateTime.class).toInstant()),
                        row.getInt(8)))
                .list();
        return due.stream().filter(taken -> lease(taken, now)).toList();
    }

    /** With the digest: whoever passes over a delivery that it has seen does not pass over another envelope of the id. */
    private static String delivery(UUID route, UUID envelope, String digest) {
        String delivery = route + "/" + envelope;
        return digest.isEmpty() ? delivery : delivery + "/" + digest;
    }

    private boolean lease(Taken taken, Instant now) {
        return jdbc.sql(
                                "UPDATE route_action SET due = ?, attempts = attempts + 1, unreachable = NULL"
                                        + " WHERE route = ? AND tenant = ? AND envelope = ? AND digest = ? AND state = ? AND attempts = ?")
                        .params(
                                RouteStore.at(now.plus(LEASE)),
                                taken.route,
                                taken.notice.tenant(),
                                taken.notice.envelope(),
                                taken.notice.digest(),
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
                                + " WHERE route = ? AND tenant = ? AND envelope = ? AND digest = ? AND state = ?")
                        .params(
                                state,
                                RouteStore.at(clock.instant().plus(REMEMBERED)),
                                taken.route,
                                taken.notice.tenant(),
                                taken.notice.envelope(),
                                taken.notice.digest(),
                                WAITING)
                        .update()
                > 0;
    }

    /**
     * To be tried again.
     *
     * @param unreachable what it waits for, if that alone: it is due before when that is {@link #reached}
     */
    void again(Taken taken, Instant due, @Nullable String unreachable) {
        jdbc.sql("UPDATE route_action SET due = ?, unreachable = ?"
                        + " WHERE route = ? AND tenant = ? AND envelope = ? AND digest = ? AND state = ?")
                .param(RouteStore.at(due))
                .param(unreachable)
                .param(taken.route)
                .param(taken.notice.tenant())
                .param(taken.notice.envelope())
                .param(taken.notice.digest())
                .param(WAITING)
                .update();
    }

    /** To be tried again sooner, unless it was released and maybe taken meanwhile. */
    void sooner(Taken taken, Instant due, String unreachable) {
        jdbc.sql(
                        "UPDATE route_action SET due = ?"
                                + " WHERE route = ? AND tenant = ? AND envelope = ? AND digest = ? AND state = ? AND unreachable = ?")
                .params(
                        RouteStore.at(due),
                        taken.route,
                        taken.notice.tenant(),
                        taken.notice.envelope(),
                        taken.notice.digest(),
                        WAITING,
                        unreachable)
                .update();
    }

    /** Something answers: what waits for that alone is due now, whichever gateway noted it. */
    void reached(String needed) {
        OffsetDateTime now = RouteStore.at(clock.instant());
        int freed = jdbc.sql("UPDATE route_action SET due = ?, unreachable = NULL"
                        + " WHERE unreachable = ? AND state = ? AND due > ?")
                .params(now, needed, WAITING, now)
                .update();
        if (freed > 0) {
            wake();
        }
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

    /** Actions that wait, by tenant; a tenant without any is not there. */
    Map<String, Long> waitingByTenant() {
        Map<String, Long> waiting = new TreeMap<>();
        jdbc.sql("SELECT tenant, COUNT(*) FROM route_action WHERE state = ? GROUP BY tenant")
                .param(WAITING)
                .query(row -> {
                    waiting.put(row.getString(1), row.getLong(2));
                });
        return waiting;
    }

    /** By route. */
    Map<UUID, Counts> counts(String tenant) {
        record Row(UUID route, String state, long count, Instant first, Instant last) {}
        Map<UUID, List<Row>> byRoute = jdbc
                .sql(
                        "SELECT route, state, COUNT(*), MIN(arrived), MAX(arrived) FROM route_action WHERE tenant = ? GROUP BY route, state")
                .param(tenant)
                .query((row, n) -> new Row(
                        row.getObject(1, UUID.class),
                        row.getString(2),
                        row.getLong(3),
                        row.getObject(4, OffsetDateTime.class).toInstant(),
                        row.getObject(5, OffsetDateTime.class).toInstant()))
                .list()
                .stream()
                .collect(Collectors.groupingBy(Row::route));
        return byRoute.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, each -> {
            Map<String, Long> count = each.getValue().stream().collect(Collectors.toMap(Row::state, Row::count));
            Instant last = each.getValue().stream()
                    .map(Row::last)
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
            Instant waitingSince = each.getValue().stream()
                    .filter(row -> row.state().equals(WAITING))
                    .map(Row::first)
                    .findFirst()
                    .orElse(null);
            return new Counts(
                    count.getOrDefault(WAITING, 0L),
                    count.getOrDefault(DONE, 0L),
                    count.getOrDefault(GIVEN_UP, 0L),
                    last,
                    waitingSince);
        }));
    }
}
