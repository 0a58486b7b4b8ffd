package dev.veilgate.sse.segments;

/** Kinds of objects, whose keys have nothing in common. */
enum ObjectKind {
    /** An index of documents. */
    SEGMENT(1),
    /** Numbers of the documents of a segment that are deleted. */
    DEAD_SET(2);

    final byte code;

    ObjectKind(int code) {
        this.code = (byte) code;
    }
}
