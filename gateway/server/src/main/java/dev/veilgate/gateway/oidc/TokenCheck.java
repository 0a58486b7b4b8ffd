package dev.veilgate.gateway.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.AsymmetricJWK;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.veilgate.gateway.access.IssuerUnavailableException;
import dev.veilgate.gateway.access.Principal;
import dev.veilgate.gateway.access.RefusedTokenException;
import dev.veilgate.gateway.access.Right;
import dev.veilgate.gateway.access.TokenRefusal;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an access token must be (RFC 7519, 8725, 9068), and who its holder is. The algorithm is among those listed here and fits the issuer's key, whatever the token
 * says of itself: neither "none" nor a public key taken for a shared secret gets through. Keys and addresses of keys in the token are not looked at.
 */
final class TokenCheck {
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);
    /** The library's decoder passes over other characters and takes + for -, so that one signature could be written in many ways. */
    private static final Pattern COMPACT = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+");

    private static final Set<String> TYPES = Set.of("jwt", "at+jwt", "application/at+jwt");

    private final OidcSettings settings;
    private final IssuerKeys keys;
    private final Clock clock;
    private final DefaultJWSVerifierFactory verifiers = new DefaultJWSVerifierFactory();

    TokenCheck(OidcSettings settings, IssuerKeys keys, Clock clock) {
        this.settings = settings;
        this.keys = keys;
        this.clock = clock;
    }

    Principal principal(String token) throws RefusedTokenException, IssuerUnavailableException {
        require(COMPACT.matcher(token).matches(), TokenRefusal.MALFORMED);
        try {
            SignedJWT jwt = SignedJWT.parse(token);
            checkHeader(jwt.getHeader());
            checkSignature(jwt);
            JWTClaimsSet claims = jwt.getJWTClaimsSet();
            checkClaims(claims);
            checkTimes(claims);
            return new Principal(
                    Principal.Kind.TOKEN,
                    "oidc:" + claims.getSubject(),
                    tenant(claims),
                    rights(claims),
                    scopes(claims));
        } catch (ParseException e) { // its message would quote the token
            throw new RefusedTokenException(TokenRefusal.MALFORMED);
        }
    }

    private static void checkHeader(JWSHeader header) throws RefusedTokenException {
        require(ALGORITHMS.contains(header.getAlgorithm()), TokenRefusal.ALGORITHM);
        Set<String> critical = header.getCriticalParams();
        require(critical == null || critical.isEmpty(), TokenRefusal.MALFORMED);
        require(
                header.getType() == null
                        || TYPES.contains(header.getType().getType().toLowerCase(Locale.ROOT)),
                TokenRefusal.NOT_ACCESS);
    }

    private void checkSignature(SignedJWT jwt) throws RefusedTokenException, IssuerUnavailableException {
        List<JWK> candidates = keys.select(new JWKSelector(JWKMatcher.forJWSHeader(jwt.getHeader())));
        require(!candidates.isEmpty(), TokenRefusal.UNKNOWN_KEY);
        require(candidates.stream().anyMatch(key -> isSignedBy(jwt, key)), TokenRefusal.SIGNATURE);
    }

    private boolean isSignedBy(SignedJWT jwt, JWK key) {
        try {
            return key instanceof AsymmetricJWK asymmetric
                    && jwt.verify(verifiers.createJWSVerifier(jwt.getHeader(), asymmetric.toPublicKey()));
        } catch (JOSEException e) { // a key of another curve or size
            return false;
        }
    }

    private void checkClaims(JWTClaimsSet claims) throws RefusedTokenException {
        require(settings.issuer().equals(claims.getIssuer()), TokenRefusal.ISSUER);
        require(claims.getAudience().contains(settings.audience()), TokenRefusal.AUDIENCE);
        Object kind = claims.getClaim("typ"); // Keycloak's, which gives its other tokens the same type in the header
        require(kind == null || "Bearer".equals(kind), TokenRefusal.NOT_ACCESS);
        require(claims.getClaim("cnf") == null, TokenRefusal.BOUND);
        String subject = claims.getSubject();
        require(subject != null && !subject.isBlank(), TokenRefusal.MALFORMED);
    }

    private void checkTimes(JWTClaimsSet claims) throws RefusedTokenException {
        Date expires = claims.getExpirationTime();
        require(expires != null, TokenRefusal.MALFORMED);
        Instant now = clock.instant();
        require(expires.toInstant().plus(settings.clockSkew()).isAfter(now), TokenRefusal.EXPIRED);
        Instant latest = now.plus(settings.clockSkew());
        require(isUntil(claims.getNotBeforeTime(), latest), TokenRefusal.NOT_YET_VALID);
        require(isUntil(claims.getIssueTime(), latest), TokenRefusal.NOT_YET_VALID);
    }

    private static boolean isUntil(@Nullable Date time, Instant latest) {
        return time == null || !time.toInstant().isAfter(latest);
    }

    private String tenant(JWTClaimsSet claims) throws RefusedTokenException {
        Object claim = claims.getClaim(settings.tenantClaim());
        if (claim == null && !settings.tenant().isEmpty()) {
            return settings.tenant();
        }
        Object named = claim instanceof List<?> list && list.size() == 1 ? list.getFirst() : claim;
        if (!(named instanceof String name)
                || name.isBlank()
                || !settings.tenant().isEmpty() && !settings.tenant().equals(name)) {
            throw new RefusedTokenException(TokenRefusal.TENANT);
        }
        return name;
    }

    private static Set<Right> rights(JWTClaimsSet claims) throws ParseException {
        String granted = claims.getStringClaim("scope");
        if (granted == null) {
            return Set.of();
        }
        Set<String> scopes = new HashSet<>(Arrays.asList(granted.split(" ")));
        return Arrays.stream(Right.values())
                .filter(right -> scopes.contains(right.scope()))
                .collect(Collectors.toSet());
    }

    /** A claim that is there restricts: an empty one cannot mean all scopes, as it does in a {@link Principal}. */
    private Set<String> scopes(JWTClaimsSet claims) throws RefusedTokenException {
        Object claim = claims.getClaim(settings.scopesClaim());
        if (claim == null) {
            return Set.of();
        }
        Set<String> scopes = new HashSet<>();
        for (Object named : claim instanceof List<?> list ? list : List.of(claim)) {
            if (!(named instanceof String name) || name.isBlank()) {
                throw new RefusedTokenException(TokenRefusal.SCOPES);
            }
            scopes.add(name);
        }
        require(!scopes.isEmpty(), TokenRefusal.SCOPES);
        return scopes;
    }

    private static void require(boolean condition, TokenRefusal otherwise) throws RefusedTokenException {
        if (!condition) {
            throw new RefusedTokenException(otherwise);
        }
    }
}
