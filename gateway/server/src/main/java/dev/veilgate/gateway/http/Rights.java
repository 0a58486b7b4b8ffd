package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.tenant.Tenant;
import dev.veilgate.gateway.tenant.Tenants;

/** What controllers ask first. */
public final class Rights {
    private Rights() {}

    /**
     * The tenant, if the token may do this for it.
     *
     * @throws ProblemException not found for a tenant that is not the token's, so that nobody learns who is served here; forbidden for a right that it lacks
     */
    public static Tenant require(Principal principal, Right right, String tenant, Tenants tenants) {
        if (!principal.tenant().equals(tenant)) {
            throw ProblemException.notFound("the tenant");
        }
        if (!principal.rights().contains(right)) {
            throw ProblemException.lacking(right);
        }
        return tenants.find(tenant).orElseThrow(() -> ProblemException.notFound("the tenant"));
    }
}
