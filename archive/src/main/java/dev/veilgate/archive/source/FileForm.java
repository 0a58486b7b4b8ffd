package dev.veilgate.archive.source;

/** How files are divided into documents. */
public enum FileForm {
    /** By their names and how they begin. */
    BY_NAME,
    /** As tables: each row is a document. */
    TABLE,
    /** As logs: each line is a document. */
    LINES
}
