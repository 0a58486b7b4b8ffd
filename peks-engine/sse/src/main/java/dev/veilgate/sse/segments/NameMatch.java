package dev.veilgate.sse.segments;

/**
 * A document of a segment that has one of the names that were looked for.
 *
 * @param place  of the name among these
 * @param number of the document
 * @param digest of the document, which nobody changes
 */
record NameMatch(int place, int number, byte[] digest) {
    /** Shows nothing. */
    @Override
    public String toString() {
        return "NameMatch[hidden]";
    }
}
