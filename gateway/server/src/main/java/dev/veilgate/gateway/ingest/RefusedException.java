package dev.veilgate.gateway.ingest;

/** A submission was not taken. The message is for the sender: it names a field and what is allowed, never content. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Refusal refusal;

    /** @param message for the sender */
    public RefusedException(Refusal refusal, String message) {
        super(message, null, false, false);
        this.refusal = refusal;
    }

    /** Why. */
    public Refusal refusal() {
        return refusal;
    }

    /** For the sender. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
