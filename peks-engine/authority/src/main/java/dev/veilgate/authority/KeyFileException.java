package dev.veilgate.authority;

import java.io.Serial;

/** The key folder cannot be used: wrong passphrase, damage, parts of it that do not belong together. Says what to do, never a secret. */
public final class KeyFileException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** The passphrase is wrong, or somebody altered the file and its checksum. */
        WRONG_PASSPHRASE,
        /** The file is not whole. */
        DAMAGED,
        /** There is no key file. */
        MISSING,
        /** The folder of issued trapdoors is not there or not the one of these keys. */
        TRAPDOORS_MISSING,
        /** Another process changes it. */
        IN_USE,
        /** The shares of a backup's key are too few, altered, or another backup's. */
        SHARES
    }

    private final Reason reason;

    KeyFileException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
