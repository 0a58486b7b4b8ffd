package dev.veilgate.gateway.route;

import dev.veilgate.gateway.tenant.Tenant;

/** Rules of keywords by which routes were issued, beside those by which what arrives may be indexed. */
final class RouteRules {
    private static final int FIRST = 1;

    private RouteRules() {}

    /**
     * Whether a route was issued by rules 1 alone, and what arrives in one of its epochs may be indexed by later ones.
     *
     * <p>Does not give: that a route of later rules knows all that a tenant has come to use since. A gateway does not
     * read profiles.
     */
    static boolean isFormer(Route route, Tenant tenant) {
        return route.rules().stream().allMatch(rules -> rules == FIRST)
                && tenant.bundle()
                        .nextProfile()
                        .filter(next -> route.epochs().stream().anyMatch(next::isUsedIn))
                        .isPresent();
    }
}
