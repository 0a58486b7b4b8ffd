package dev.veilgate.gateway.route;

import dev.veilgate.envelope.PublicBundle;
import dev.veilgate.gateway.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Until when a route finds something: its trapdoors are for epochs, and its grant expires. */
final class RouteEnd {
    private static final Duration SOON = Duration.ofDays(14);

    private RouteEnd() {}

    /** When its last epoch ends; empty if the bundle, which names present and later ones, names none of them. */
    static Optional<Instant> lastEpochEnds(Route route, Tenant tenant) {
        return tenant.bundle().epochs().stream()
                .filter(epoch -> route.epochs().contains(epoch.name()))
                .map(PublicBundle.Epoch::to)
                .reduce((one, other) -> one.isAfter(other) ? one : other);
    }

    /** What whoever installed it should know. */
    static List<String> warnings(Route route, Tenant tenant, Instant now) {
        List<String> warnings = new ArrayList<>();
        Instant epochs = lastEpochEnds(route, tenant).orElse(Instant.MIN);
        warn(warnings, "last epoch", epochs, now);
        warn(warnings, "grant", route.expires(), now);
        if (RouteRules.isFormer(route, tenant)) {
            warnings.add(
                    "it was issued by rules 1 of keywords alone, so that it misses what later rules, by which senders"
                            + " may seal by now, find otherwise; issue it again");
        }
        return warnings;
    }

    private static void warn(List<String> warnings, String what, Instant end, Instant now) {
        if (!now.isBefore(end)) {
            warnings.add("its " + what + " has ended, so that it finds nothing; install it again with a later one");
        } else if (end.isBefore(now.plus(SOON))) {
            warnings.add("its " + what + " ends at " + end + "; install it again with a later one before");
        }
    }
}
