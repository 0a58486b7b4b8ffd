package dev.veilgate.issuing;

/** What can be wrong with a log. */
public enum LogProblem {
    /** Bytes that are no entry, head or proof, or whose checksum is wrong. */
    DAMAGED,
    /** Entries are not there: a signed head, or the index beside them, knows of them, or their numbers are left out. */
    MISSING,
    /** An entry stands where another number belongs. */
    OUT_OF_ORDER,
    /** An entry is not the one that the next entry, or the index, knows. */
    ALTERED,
    /** It belongs to another log, or the log to another authority. */
    FOREIGN,
    /** Entries are not those that the authority signed: they were rewritten, digests and all. */
    REWRITTEN,
    /** A head that the authority did not sign. */
    BAD_HEAD,
    /** A head that does not stand behind the last entry that it speaks of. */
    MISPLACED_HEAD,
    /** The authority signed two heads that cannot both be of one log. */
    FORKED,
    /** An entry says that it was written before the one before it. */
    BACK_IN_TIME,
    /** No head covers these entries: anybody can have added them. */
    UNSIGNED,
    /** The proof does not prove what it says. */
    NOT_PROVEN,
    /** Another process, or another part of this one, writes the log. */
    IN_USE,
    /** More was found than is kept. */
    OMITTED
}
