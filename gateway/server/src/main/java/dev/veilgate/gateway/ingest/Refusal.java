package dev.veilgate.gateway.ingest;

/** Why a submission was not taken. Each channel has its own reply for each. */
public enum Refusal {
    /**
     * Not in the form of docs/wire-format.md, an index block that is forged or another message's, or a mail that is not
     * one.
     */
    MALFORMED(false),
    /**
     * An index block of a form, or keywords by rules, that only earlier versions of the sending program made.
     */
    OUTDATED(false),
    /** Over the size that is configured. */
    TOO_LARGE(false),
    /** A tenant that is not served here. */
    UNKNOWN_TENANT(false),
    /** A public key that the tenant's bundle does not name. */
    UNKNOWN_KEY(false),
    /** A scope that the tenant's bundle does not name. */
    UNKNOWN_SCOPE(false),
    /** A sender that the bundle does not name, or a signature that is not its. */
    BAD_SIGNATURE(false),
    /** Who sends over this channel may not send this: another tenant or another sender. */
    NOT_ALLOWED(false),
    /** A mail in the name of a sender of this site whom neither a login nor a signature proves. */
    UNPROVEN_SENDER(false),
    /** Another envelope with this id is stored already. */
    CONFLICT(false),
    /** Sealed at a time that is too far from this clock. */
    CLOCK(false),
    /** The recipient's domain takes sealed mail only. */
    PLAIN_MAIL(false),
    /** More than the sender's quota; later it may be taken. */
    QUOTA(true),
    /** No room on the disk; later it may be taken. */
    STORAGE_FULL(true),
    /** Stopping, starting, or a disk or database that does not answer. */
    UNAVAILABLE(true);

    private final boolean temporary;

    Refusal(boolean temporary) {
        this.temporary = temporary;
    }

    /** Whether the same submission may be taken later. */
    public boolean temporary() {
        return temporary;
    }
}
