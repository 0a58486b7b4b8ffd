package dev.veilgate.issuing;

import java.util.Arrays;
import java.util.Optional;

/** What an entry tells of. The code is what is written: it never changes, and none is used twice. */
public enum EntryKind {
    /** Somebody asked for a search, a key or a decryption; the details say for what. */
    REQUESTED(1),
    /** Rules alone, or a second person, allowed what was requested. */
    APPROVED(2),
    /** Rules or a second person refused it; the reason says why. */
    REFUSED(3),
    /** Nobody decided in time. */
    EXPIRED(4),
    /** A trapdoor left the authority. */
    TRAPDOOR(5),
    /** A grant was signed. */
    GRANT(6),
    /** An attribute key was issued to a reader. */
    ATTRIBUTE_KEY(7),
    /** A reader gets no attribute keys any more. */
    ATTRIBUTE_KEY_REVOKED(8),
    /** Records, or sealed details of an entry, were opened for somebody. */
    DECRYPTION(9),
    /** Hits were exported. */
    EXPORT(10),
    /** Keys were made, rotated or forgotten, or the passphrase was changed. */
    KEY_CHANGE(11),
    /** The rules were changed. */
    RULE_CHANGE(12),
    /** A registered sender, recipient or scope was added or removed. */
    SENDER_CHANGE(13),
    /** A standing route was made or removed. */
    ROUTE_CHANGE(14),
    /** A bundle was signed. */
    BUNDLE(15),
    /** A backup of the keys was made, or they were restored from one. */
    BACKUP(16),
    /** Somebody logged in, or, where the details say so, out. */
    LOGIN(17),
    /** Somebody was not let in. */
    LOGIN_REFUSED(18),
    /** The log was opened after a crash and an entry that nobody had been told of was cut off; written by the log itself. */
    REPAIRED(19);

    private final int code;

    EntryKind(int code) {
        this.code = code;
    }

    /** What is written. */
    public int code() {
        return code;
    }

    /** The kind of a code. */
    public static Optional<EntryKind> of(int code) {
        return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
    }
}
