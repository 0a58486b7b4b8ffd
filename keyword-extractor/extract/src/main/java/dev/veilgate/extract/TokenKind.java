package dev.veilgate.extract;

/** What a piece of a record is; its field is the field of the keyword. */
public enum TokenKind {
    /** A run of letters and digits with at least one letter. */
    WORD("word"),
    /** A run of digits, or two with a point between them. */
    NUMBER("number"),
    /** An IP address in canonical form. */
    IP("ip"),
    /** A network of configured length, {@code 10.0.0.0/8}. */
    IP_PREFIX("ip-prefix"),
    /** A path from the root of a file system, of two names or more. */
    PATH("path"),
    /** The machine that wrote the record. */
    HOST("host"),
    /** The program, unit or logger that wrote the record. */
    APP("app"),
    /** The process. */
    PID("pid"),
    /** How serious the record is, see {@link KeywordText#level}. */
    LEVEL("level"),
    /** Day, hour or minute of the record. */
    TIME("time");

    private final String field;

    TokenKind(String field) {
        this.field = field;
    }

    /** The keyword's field. */
    public String field() {
        return field;
    }
}
