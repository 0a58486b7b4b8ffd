package dev.veilgate.sse.segments;

/** Parts of a segment, in their order; each is cut into pages, which are sealed under a key of the part. */
public enum SegmentPart {
    /** Shortest beginnings that tell the first word of each page of the dictionary from the word before it. */
    WORD_FENCES("fences of words"),
    /** How many documents each page has. */
    DOCUMENT_FENCES("fences of documents"),
    /** Words with what they occur in, or where that stands. */
    DICTIONARY("dictionary"),
    /** Longer lists of documents. */
    LISTS("lists"),
    /** Names, digests and places, by number. */
    DOCUMENTS("documents"),
    /** Classes of lengths, by number. */
    LENGTHS("lengths"),
    /** Tags of names with numbers, ascending. */
    NAME_TAGS("tags of names"),
    /** Zeros. */
    PADDING("padding");

    /** As errors name it. */
    final String text;

    SegmentPart(String text) {
        this.text = text;
    }
}
