package dev.veilgate.gateway.http;

import dev.veilgate.gateway.access.Access;
import dev.veilgate.gateway.access.IssuedTokens;
import dev.veilgate.gateway.access.IssuerUnavailableException;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.RefusedTokenException;
import dev.veilgate.gateway.access.TokenRefusal;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;

/** Whose a bearer token is: one of the access file, or one that the issuer signed. Counts by reason those that are not taken. */
public final class BearerTokens {
    private static final String SCHEME = "Bearer ";
    private static final int MAX_TOKEN_CHARACTERS = 8192;

    private final Access access;
    private final IssuedTokens issued;
    private final MeterRegistry metrics;

    BearerTokens(Access access, IssuedTokens issued, MeterRegistry metrics) {
        this.access = access;
        this.issued = issued;
        this.metrics = metrics;
    }

    /** @param header the request's Authorization */
    Principal principal(@Nullable String header) throws RefusedTokenException, IssuerUnavailableException {
        try {
            String token = token(header);
            return isSigned(token)
                    ? issued.principal(token)
                    : access.token(token).orElseThrow(() -> new RefusedTokenException(TokenRefusal.UNKNOWN));
        } catch (RefusedTokenException e) {
            count(e.refusal().label());
            throw e;
        } catch (IssuerUnavailableException e) {
            count("issuer_unavailable");
            throw e;
        }
    }

    private static String token(@Nullable String header) throws RefusedTokenException {
        if (header == null || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            throw new RefusedTokenException(TokenRefusal.MISSING);
        }
        if (header.length() > MAX_TOKEN_CHARACTERS) {
            throw new RefusedTokenException(TokenRefusal.MALFORMED);
        }
        return header.substring(SCHEME.length()).strip();
    }

    /** A JWT begins with the Base64 of a brace and has dots; a token of the access file has neither. */
    private static boolean isSigned(String token) {
        return token.startsWith("ey") && token.indexOf('.') > 0;
    }

    /** Metrics of what is refused: by reason, never by whose. */
    void count(String reason) {
        metrics.counter("veilgate.tokens.refused", "reason", reason).increment();
    }
}
