package dev.veilgate.gateway.access;

/** A bearer token that is not taken. Neither it nor the message says what is in it. */
public final class RefusedTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    private final TokenRefusal refusal;

    /** @param refusal why */
    public RefusedTokenException(TokenRefusal refusal) {
        super(refusal.detail(), null, false, false);
        this.refusal = refusal;
    }

    /** Why. */
    public TokenRefusal refusal() {
        return refusal;
    }
}
