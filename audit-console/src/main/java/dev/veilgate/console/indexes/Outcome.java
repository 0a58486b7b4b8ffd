package dev.veilgate.console.indexes;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Result of a check of one record's index. The label is kept in the database, and never changes. */
public enum Outcome {
    /** Each keyword that was asked for is there. */
    COMPLETE,
    /** The finding: it indexes less than it seals, or not as it says. */
    LACKING,
    /** Something is missing that an authority allows the sender to leave out. */
    EXCUSED,
    /** Nothing is said; {@link Reason} tells why. */
    NOT_CHECKED;

    /** As the interface and the database spell it. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
