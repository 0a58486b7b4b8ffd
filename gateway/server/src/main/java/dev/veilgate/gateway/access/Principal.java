package dev.veilgate.gateway.access;

import java.util.Set;

/**
 * Who was authenticated.
 *
 * @param kind   how
 * @param name   unique among its kind; for a device the name of the sender that it seals as, for a mail user the login, for a token of an issuer
 *               {@code oidc:} and its subject
 * @param tenant the only tenant it may act for
 * @param rights what it may do; a device and a mail user: INGEST
 * @param scopes the only scopes that its searches, routes and holds may name; empty: all of the tenant
 * @param topics filters of topics that a device may subscribe to at the embedded broker; empty: none
 */
public record Principal(
        Kind kind, String name, String tenant, Set<Right> rights, Set<String> scopes, Set<String> topics) {
    /** What was presented. */
    public enum Kind {
        /** A bearer token over HTTP. */
        TOKEN,
        /** User and password of an MQTT device. */
        DEVICE,
        /** User and password of SMTP. */
        MAIL
    }

    /** Copies the sets. */
    public Principal {
        rights = Set.copyOf(rights);
        scopes = Set.copyOf(scopes);
        topics = Set.copyOf(topics);
    }

    /** Without topics to subscribe to. */
    public Principal(Kind kind, String name, String tenant, Set<Right> rights, Set<String> scopes) {
        this(kind, name, tenant, rights, scopes, Set.of());
    }

    /** Whether it has the right for the tenant. */
    public boolean may(Right right, String ofTenant) {
        return rights.contains(right) && tenant.equals(ofTenant);
    }

    /** Whether it may name the scope. */
    public boolean maySee(String scope) {
        return scopes.isEmpty() || scopes.contains(scope);
    }
}
