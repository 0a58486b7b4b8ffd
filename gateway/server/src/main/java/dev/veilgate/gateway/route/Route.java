package dev.veilgate.gateway.route;

import dev.veilgate.peks.ScopedTrapdoor;
import dev.veilgate.query.Grant;
import dev.veilgate.query.PreparedSearch;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A standing route.
 *
 * @param id        stays when the route is replaced
 * @param version   of all routes when this one was last changed
 * @param name      unique in the tenant
 * @param secret    of a webhook, that calls are signed with; else empty
 * @param installed when it was last changed
 * @param rules     by which the keywords of its trapdoors were made, as who installed it says
 */
record Route(
        java.util.UUID id,
        long version,
        String name,
        PreparedSearch search,
        RouteAction action,
        String secret,
        Instant installed,
        List<Integer> rules) {
    /** Rules of a route if nobody says by which it was issued. */
    static final List<Integer> FIRST_RULES = List.of(1);

    String tenant() {
        return search.request().tenant();
    }

    Set<String> scopes() {
        return trapdoors().map(ScopedTrapdoor::scope).collect(Collectors.toSet());
    }

    Set<String> epochs() {
        return trapdoors().map(ScopedTrapdoor::epoch).collect(Collectors.toSet());
    }

    private Stream<ScopedTrapdoor> trapdoors() {
        return search.request().terms().stream().flatMap(java.util.List::stream);
    }

    /** From when on the authority does not permit it any more. */
    Instant expires() {
        return search.request().grant().map(Grant::expires).orElse(Instant.MAX);
    }

    @Override
    public String toString() {
        return "Route[" + id + "]";
    }
}
