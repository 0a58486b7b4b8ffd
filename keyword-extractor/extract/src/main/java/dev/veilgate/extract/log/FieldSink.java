package dev.veilgate.extract.log;

/** Takes what a form of line tells; ranges are of its lower-case copy. */
interface FieldSink {
    /** A field whose value is a part of the line; those that a header may tell are known by their names. */
    void field(String name, int from, int to);

    /** A field whose value is not in the line as it is. */
    void field(String name, String value);

    /** A path, as words of paths are, of whatever length. */
    void path(int from, int to);

    /** A part of the line, as written. */
    String string(int from, int to);
}
