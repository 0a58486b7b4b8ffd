package dev.veilgate.sse.segments;

import java.util.Arrays;

/**
 * A document of a segment that has one of the names that were looked for.
 *
 * @param place  of the name among these
 * @param number of the document
 * @param digest of the document, which nobody changes
 * @param inFile place of the document in its file
 */
record NameMatch(int place, int number, byte[] digest, long inFile) {
    /** Tells if the document is as one of a digest at a place of its file: the place is where its text is read. */
    boolean isSame(byte[] other, long otherPlace) {
        return inFile == otherPlace && Arrays.equals(digest, other);
    }

    /** Shows nothing. */
    @Override
    public String toString() {
        return "NameMatch[hidden]";
    }
}
