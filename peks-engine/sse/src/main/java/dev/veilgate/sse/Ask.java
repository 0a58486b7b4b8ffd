package dev.veilgate.sse;

/** Kinds of questions. */
public enum Ask {
    /** A word. */
    WORD,
    /** The first letters of a word. */
    PREFIX,
    /** First and last letters of a word. */
    PATTERN,
    /** Several at once, all of which must hold; answered in one search. */
    ALL_OF,
    /** Several words, ranked. */
    BEST
}
