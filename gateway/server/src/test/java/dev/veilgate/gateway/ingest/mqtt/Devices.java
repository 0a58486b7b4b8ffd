package dev.veilgate.gateway.ingest.mqtt;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.broker.TenantTopics;
import java.util.Optional;
import java.util.Set;

/** Devices press-1 to press-9 of acme, and a pager, each with its name and "-secret" for a password. */
final class Devices implements Access {
    static final String PAGER = "pager";

    /** Of a gateway that serves acme alone. */
    static final TenantTopics TOPICS = new TenantTopics("acme", () -> Set.of("acme"));

    @Override
    public Optional<Principal> token(String secret) {
        return Optional.empty();
    }

    @Override
    public Optional<Principal> device(String name, String password) {
        return (name.matches("press-[1-9]") || name.equals(PAGER)) && password.equals(password(name))
                ? Optional.of(new Principal(
                        Principal.Kind.DEVICE,
                        name,
                        "acme",
                        Set.of(Right.INGEST),
                        Set.of(),
                        name.equals(PAGER) ? Set.of("alerts/#", "veilgate/dead-letter") : Set.of()))
                : Optional.empty();
    }

    @Override
    public Optional<Principal> mailUser(String name, String password) {
        return Optional.empty();
    }

    static String password(String name) {
        return name + "-secret";
    }
}
