package dev.veilgate.gateway.access;

/** Bearer tokens that an OAuth 2 issuer signed, beside those of {@link Access}. */
@FunctionalInterface
public interface IssuedTokens {
    /** No issuer is set: every signed token is as unknown as any other string. */
    IssuedTokens NONE = token -> {
        throw new RefusedTokenException(TokenRefusal.UNKNOWN);
    };

    /**
     * The holder of a signed token.
     *
     * @throws RefusedTokenException      if it is not good here, whoever holds it
     * @throws IssuerUnavailableException if that cannot be said for now
     */
    Principal principal(String token) throws RefusedTokenException, IssuerUnavailableException;
}
