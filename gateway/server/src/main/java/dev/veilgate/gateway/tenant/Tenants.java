package dev.veilgate.gateway.tenant;

import java.util.List;
import java.util.Optional;

/** The tenants that are served. Bundles that change on disk are taken up without a restart. Safe for use by several threads. */
public interface Tenants {
    /** By the tenant's name; empty if it is not served. */
    Optional<Tenant> find(String name);

    /** All of them. */
    default List<Tenant> all() {
        return List.of();
    }
}
