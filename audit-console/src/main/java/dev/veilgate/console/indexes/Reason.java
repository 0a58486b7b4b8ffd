package dev.veilgate.console.indexes;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.veilgate.authority.IndexCheck.NotChecked;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Why an index, or a part of it, was not checked, is excused or is a finding. The label never changes. */
public enum Reason {
    /** No registered sender and no mail signature of the tenant answers for the envelope: somebody on the way may. */
    NOT_SIGNED,
    /** The envelope is one of before, which names no rules of keywords. */
    NO_RULES,
    /** The caller gave the keywords, by no rules: excused for senders that may do so, for others a finding. */
    KEYWORDS_OF_CALLER,
    /** A finding: it names rules or a profile that the tenant never had. */
    UNKNOWN_RULES,
    /** A profile of the tenant that only later software reads. */
    LATER_RULES,
    /** The sender read it in a format that only later software knows. */
    UNKNOWN_FORMAT,
    /** Keywords that only attachments have are not asked for: the sender does not say if it read all of them. */
    ATTACHMENTS,
    /** Keywords that only attachments have are not asked for: the sender says that it had no time to read them. */
    ATTACHMENTS_CUT_SHORT,
    /** Reading the mail takes too long here; only its header was asked for. */
    TOO_COSTLY,
    /** A block is of a scheme that cannot be looked into. */
    OTHER_SCHEME,
    /** A block is of a key that is not among the tenant's, so that no search asks for it: it counts as none. */
    UNKNOWN_KEY,
    /** There were as many findings of the sender, or in a day, as may be. */
    TOO_MANY_FINDINGS,
    /** A finding: a block is not made as its scheme says. */
    MALFORMED_BLOCK,
    /** The check could not be done; the console's log says why. */
    FAILED;

    /** As the interface and the database spell it. */
    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The reason of a label. */
    static Optional<Reason> of(String label) {
        return Arrays.stream(values())
                .filter(reason -> reason.label().equals(label))
                .findFirst();
    }

    static Reason of(NotChecked why) {
        return switch (why) {
            case NOT_SIGNED -> NOT_SIGNED;
            case OTHER_SCHEME -> OTHER_SCHEME;
            case UNKNOWN_KEY -> UNKNOWN_KEY;
            case TOO_MANY_FINDINGS -> TOO_MANY_FINDINGS;
            case MALFORMED_BLOCK -> MALFORMED_BLOCK;
        };
    }
}
