package dev.veilgate.sse;

/** The result of an operation that has none but that it was done. */
public enum Done {
    /** The server has it. */
    DONE
}
