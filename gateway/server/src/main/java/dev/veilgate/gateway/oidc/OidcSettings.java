package dev.veilgate.gateway.oidc;

import java.net.URI;
import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An OpenID Connect issuer, such as Keycloak, whose access tokens are taken over HTTP beside those of the access file.
 *
 * @param issuer       its address exactly as it stands in the claim {@code iss}; empty: no signed token is taken. What is at {@code issuer} +
 *                     {@code /.well-known/openid-configuration} says where its keys are
 * @param audience     what a token must name in {@code aud}
 * @param tenant       the only tenant that tokens of this issuer are taken for, whether or not they name it; empty: the one that the claim names
 * @param tenantClaim  claim that names the tenant
 * @param scopesClaim  claim with the only message scopes that a token may name, a list; a token without it may name all of the tenant's
 * @param jwkSetUri    where the issuer's keys are, instead of asking the issuer for it; for one that this gateway reaches by another address than users do
 * @param clockSkew    how wrong the clocks of issuer and gateway may be
 * @param sslBundle    name of the SSL bundle with the authorities that are trusted for the issuer's certificate; empty: those of the system
 * @param insecureHttp whether keys may be fetched without TLS from another machine too: whoever is on the way could then give itself any right
 */
@ConfigurationProperties("veilgate.oidc")
public record OidcSettings(
        @DefaultValue("") String issuer,
        @DefaultValue("veilgate-gateway") String audience,
        @DefaultValue("") String tenant,
        @DefaultValue("veilgate_tenant") String tenantClaim,
        @DefaultValue("veilgate_scopes") String scopesClaim,
        @DefaultValue("") String jwkSetUri,
        @DefaultValue("30s") Duration clockSkew,
        @DefaultValue("") String sslBundle,
        @DefaultValue("false") boolean insecureHttp) {
    private static final Duration LONGEST_SKEW = Duration.ofMinutes(5);
    private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Checks. */
    public OidcSettings {
        require(issuer.isEmpty() || isHttp(issuer), "issuer must be an address with https");
        require(jwkSetUri.isEmpty() || isHttp(jwkSetUri), "jwk-set-uri must be an address with https");
        require(jwkSetUri.isEmpty() || !issuer.isEmpty(), "issuer must be given with jwk-set-uri");
        require(!audience.isBlank(), "audience must not be empty");
        require(!tenantClaim.isBlank() && !scopesClaim.isBlank(), "tenant-claim and scopes-claim must not be empty");
        require(!clockSkew.isNegative() && clockSkew.compareTo(LONGEST_SKEW) <= 0, "clock-skew must be 0 to 5 minutes");
        String keysFrom = jwkSetUri.isEmpty() ? issuer : jwkSetUri;
        require(
                keysFrom.isEmpty() || mayAsk(URI.create(keysFrom), insecureHttp),
                "issuer and jwk-set-uri must begin with https:// (http:// on this machine; veilgate.oidc.insecure-http allows it)");
    }

    /** Whether keys may come from there. */
    boolean mayAsk(URI address) {
        return mayAsk(address, insecureHttp);
    }

    private static boolean mayAsk(URI address, boolean insecureHttp) {
        return "https".equalsIgnoreCase(address.getScheme())
                || "http".equalsIgnoreCase(address.getScheme())
                        && (insecureHttp || THIS_MACHINE.contains(address.getHost()));
    }

    private static boolean isHttp(String address) {
        try {
            URI uri = URI.create(address);
            return uri.getHost() != null
                    && uri.getFragment() == null
                    && uri.getUserInfo() == null
                    && ("https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme()));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalArgumentException("veilgate.oidc." + what);
        }
    }
}
