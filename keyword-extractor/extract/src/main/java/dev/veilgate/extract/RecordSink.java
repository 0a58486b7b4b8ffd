package dev.veilgate.extract;

/** Takes what a log record has, while {@link dev.veilgate.extract.log.LogReader} reads it. */
public interface RecordSink extends TokenSink {
    /** A text as written: a part of the record, or one that stands in it with escapes. */
    void text(String text);

    /** A part of the record as written, in UTF-8 or what should be. */
    void text(byte[] utf8, int from, int to);

    /** A part of the record that is folded already. */
    void foldedText(byte[] text, int from, int to);

    /** A token as written, of a kind. */
    void token(TokenKind kind, String value);

    /** The value of a named field, both as written. */
    void field(String name, String value);

    /**
     * The time of the record, in UTC if its zone is known.
     *
     * @param year  0 if it is not known
     * @param month 1 to 12
     */
    void time(int year, int month, int day, int hour, int minute);
}
