package dev.veilgate.archive.source;

/** Division of a file into documents: by what its name says, by rows of a table, or by lines of a log. */
public enum FileForm {
    /** By their names and how they begin. */
    BY_NAME,
    /** As tables: each row is a document. */
    TABLE,
    /** As logs: each line is a document. */
    LINES
}
