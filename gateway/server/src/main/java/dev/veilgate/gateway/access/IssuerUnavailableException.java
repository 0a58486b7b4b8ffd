package dev.veilgate.gateway.access;

/** The keys of the issuer could not be fetched: whether a token is good is not known for now. */
public final class IssuerUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The log has said why. */
    public IssuerUnavailableException() {
        super(
                "the issuer of the token does not answer this gateway, so that the token cannot be checked for now; try again",
                null,
                false,
                false);
    }
}
