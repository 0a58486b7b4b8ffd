package dev.veilgate.gateway.route;

import dev.veilgate.encoding.MalformedEncodingException;
import dev.veilgate.gateway.database.Database;
import dev.veilgate.peks.IndexSchemes;
import dev.veilgate.query.PreparedSearch;
import dev.veilgate.query.SearchRequest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The routes in the database, and those read last. Several gateways may share the database: each looks at the version, and reads again
 * what changed.
 */
@Component
final class RouteStore {
    private static final Logger LOG = LoggerFactory.getLogger(RouteStore.class);
    private static final String COLUMNS =
            "SELECT id, version, tenant, name, search, kind, target, secret, installed, rules FROM route";

    /** What the table is of: the version, and the routes that can be tested. */
    private record Snapshot(long version, RouteTable table) {}

    private record Version(UUID id, long version) {}

    private final Database database;
    private final JdbcClient jdbc;
    private final IndexSchemes schemes;
    private final Clock clock;
    private Snapshot snapshot = new Snapshot(-1, RouteTable.EMPTY);

    RouteStore(Database database, IndexSchemes schemes, Clock clock) {
        this.database = database;
        this.jdbc = database.jdbc();
        this.schemes = schemes;
        this.clock = clock;
    }

    /** All routes as committed now, or, within a transaction, as it sees them. */
    synchronized RouteTable table() {
        long version = jdbc.sql("SELECT version FROM route_version WHERE id = 1")
                .query(Long.class)
                .single();
        if (version != snapshot.version) {
            snapshot = new Snapshot(version, read());
        }
        return snapshot.table;
    }

    private RouteTable read() {
        Map<UUID, Route> known = new HashMap<>();
        snapshot.table.routes().forEach(route -> known.put(route.id(), route));
        List<Route> routes = new ArrayList<>();
        for (Version one : jdbc.sql("SELECT id, version FROM route ORDER BY tenant, name")
                .query((row, n) -> new Version(row.getObject(1, UUID.class), row.getLong(2)))
                .list()) {
            Route same = known.get(one.id);
            if (same != null && same.version() == one.version) {
                routes.add(same);
            } else {
                find(one.id).ifPresent(routes::add);
            }
        }
        return new RouteTable(routes);
    }

    /** Empty also for one that cannot be tested by this version of the software. */
    private Optional<Route> find(UUID id) {
        return jdbc.sql(COLUMNS + " WHERE id = ?")
                .param(id)
                .query(this::route)
                .optional()
                .flatMap(found -> found);
    }

    private Optional<Route> route(ResultSet row, int number) throws SQLException {
        UUID id = row.getObject(1, UUID.class);
        try {
            PreparedSearch search = PreparedSearch.of(SearchRequest.decode(row.getBytes(5)), schemes);
            return Optional.of(new Route(
                    id,
                    row.getLong(2),
                    row.getString(4),
                    search,
                    new RouteAction(RouteAction.Kind.of(row.getString(6)), row.getString(7)),
                    row.getString(8),
                    row.getObject(9, OffsetDateTime.class).toInstant(),
                    rules(row.getString(10))));
        } catch (MalformedEncodingException | IllegalArgumentException e) {
            LOG.error("route {} cannot be read: {}", id, e.getMessage());
            return Optional.empty();
        }
    }

    private static List<Integer> rules(@Nullable String stored) {
        return stored == null
                ? Route.FIRST_RULES
                : Arrays.stream(stored.split(" ")).map(Integer::valueOf).toList();
    }

    /** Those of a tenant, by name. */
    List<Route> list(String tenant) {
        return table().routes().stream()
                .filter(route -> route.tenant().equals(tenant))
                .toList();
    }

    Optional<Route> find(String tenant, String name) {
        return list(tenant).stream().filter(route -> route.name().equals(name)).findFirst();
    }

    /**
     * Installs a route in place of the one of this name, durably. Whatever is applied after it returns is tested.
     *
     * @param rules       by which the keywords of its trapdoors were made
     * @param freshSecret of a webhook that was none before
     * @throws TooManyRoutesException if the tenant has as many as it may
     */
    Route put(
            String name,
            PreparedSearch search,
            RouteAction action,
            List<Integer> rules,
            String freshSecret,
            int maxRoutes)
            throws TooManyRoutesException {
        String tenant = search.request().tenant();
        Optional<Route> put = database.transactions().execute(status -> {
            long version = nextVersion(); // locks: one change at a time
            Optional<Route> old = jdbc.sql(COLUMNS + " WHERE tenant = ? AND name = ?")
                    .params(tenant, name)
                    .query(this::route)
                    .optional()
                    .flatMap(found -> found);
            if (old.isEmpty() && count(tenant, name) >= maxRoutes) {
                status.setRollbackOnly();
                return Optional.empty();
            }
            String secret = action.kind() != RouteAction.Kind.WEBHOOK
                    ? ""
                    : old.map(Route::secret).filter(kept -> !kept.isEmpty()).orElse(freshSecret);
            Route route = new Route(
                    old.map(Route::id).orElseGet(UUID::randomUUID),
                    version,
                    name,
                    search,
                    action,
                    secret,
                    clock.instant().truncatedTo(ChronoUnit.MILLIS),
                    rules);
            jdbc.sql("DELETE FROM route WHERE tenant = ? AND name = ?")
                    .params(tenant, name)
                    .update();
            jdbc.sql("INSERT INTO route (id, version, tenant, name, search, kind, target, secret, installed, rules)"
                            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
                    .params(
                            route.id(),
                            version,
                            tenant,
                            name,
                            search.request().encode(),
                            action.kind().label(),
                            action.target(),
                            secret,
                            at(route.installed()),
                            rules.stream().map(String::valueOf).collect(Collectors.joining(" ")))
                    .update();
            return Optional.of(route);
        });
        if (put.isEmpty()) {
            throw new TooManyRoutesException();
        }
        database.sync();
        return put.get();
    }

    private long count(String tenant, String butName) {
        return jdbc.sql("SELECT COUNT(*) FROM route WHERE tenant = ? AND name <> ?")
                .params(tenant, butName)
                .query(Long.class)
                .single();
    }

    /** Removes a route and what it has still to do, durably. Whether it was there. */
    boolean delete(String tenant, String name) {
        boolean deleted = Boolean.TRUE.equals(database.transactions().execute(status -> {
            nextVersion();
            jdbc.sql("DELETE FROM route_action WHERE route IN (SELECT id FROM route WHERE tenant = ? AND name = ?)")
                    .params(tenant, name)
                    .update();
            return jdbc.sql("DELETE FROM route WHERE tenant = ? AND name = ?")
                            .params(tenant, name)
                            .update()
                    > 0;
        }));
        database.sync();
        return deleted;
    }

    private long nextVersion() {
        jdbc.sql("UPDATE route_version SET version = version + 1 WHERE id = 1").update();
        return jdbc.sql("SELECT version FROM route_version WHERE id = 1")
                .query(Long.class)
                .single();
    }

    static OffsetDateTime at(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    /** The tenant has as many routes as it may. */
    static final class TooManyRoutesException extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
