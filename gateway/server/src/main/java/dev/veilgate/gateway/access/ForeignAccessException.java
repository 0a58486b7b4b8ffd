package dev.veilgate.gateway.access;

/** An entry of the access file that {@link TenantAccess} does not touch. */
public final class ForeignAccessException extends Exception {
    private static final long serialVersionUID = 1L;

    ForeignAccessException() {
        super(
                "this name is taken by access that cannot be changed here: another tenant's, or one that may do more than send; whoever runs the"
                        + " gateway can, with veilgate-gateway access",
                null,
                false,
                false);
    }
}
