package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.access.TokenRefusal;

/** What WWW-Authenticate says (RFC 6750, section 3). */
final class Challenge {
    private static final String REALM = "Bearer realm=\"veilgate\"";

    private Challenge() {}

    /** To whoever sent no token nothing is said of errors. */
    static String of(TokenRefusal refusal) {
        return refusal == TokenRefusal.MISSING
                ? REALM
                : REALM + ", error=\"invalid_token\", error_description=\"" + refusal.detail() + '"';
    }

    static String insufficientScope(Right right) {
        return REALM + ", error=\"insufficient_scope\", scope=\"" + right.scope() + '"';
    }
}
