package dev.veilgate.gateway.access;

import java.util.Locale;

/** Why a bearer token is not taken. */
public enum TokenRefusal {
    /** Nothing was presented. */
    MISSING("a bearer token is needed; veilgate-gateway access token makes one"),
    /** It is not in the access file, and no issuer is set that could have signed it. */
    UNKNOWN("the token is not known here; veilgate-gateway access token makes one"),
    /** It is no signed token with the claims that every one has. */
    MALFORMED("the token is malformed"),
    /** None, or one with a shared secret: whoever checks such a token could have made it. */
    ALGORITHM("the token must be signed with RS, PS or ES 256, 384 or 512"),
    /** The issuer publishes no such key. */
    UNKNOWN_KEY("the issuer has no key that the token could be signed with"),
    /** It was changed, or is somebody else's. */
    SIGNATURE("the token's signature is wrong"),
    /** Signed by a key of the issuer, for another realm. */
    ISSUER("the token is of another issuer"),
    /** Meant for another service, which must not be able to use it here. */
    AUDIENCE("the token is not for this gateway: its audience is another"),
    /** Over. */
    EXPIRED("the token has expired"),
    /** To come; perhaps one of the clocks is wrong. */
    NOT_YET_VALID("the token is not valid yet"),
    /** An identity, refresh or logout token. */
    NOT_ACCESS("the token is not an access token"),
    /** It is good only with a proof that its holder has a key, which is not asked for here. */
    BOUND("the token is bound to a key; only plain bearer tokens are taken here"),
    /** It names no tenant, or another one than this gateway takes tokens for. */
    TENANT("the token does not say for which tenant it is, or for one that it is not taken for"),
    /** The claim that restricts it cannot be read, and is not taken as if it were absent. */
    SCOPES("the claim of message scopes must be a list of names, and not an empty one"),
    /** It lacks the right that all requests here need. */
    RIGHT("the token lacks a right");

    private final String detail;

    TokenRefusal(String detail) {
        this.detail = detail;
    }

    /** For the client; quotes nothing of the token. */
    public String detail() {
        return detail;
    }

    /** In metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
