package dev.veilgate.sse.segments;

import java.util.Arrays;

/** Walks through the documents of a page, as {@link DocumentsWriter} wrote it. */
final class DocumentPage {
    private final PageBytes in;
    private final FrontCoding name = new FrontCoding();
    private long place;
    private int digestAt;

    /** Before the first document. */
    DocumentPage(byte[] page) {
        in = new PageBytes(page, 0);
    }

    /** Moves to the next document, which the caller knows to be there. */
    void next() {
        name.read(in);
        long step = in.number();
        place += step >>> 1 ^ -(step & 1);
        digestAt = in.at;
        in.at += ArchivedDocument.DIGEST_BYTES;
        if (in.at > in.bytes.length) {
            throw new IndexOutOfBoundsException();
        }
    }

    /** The name's bytes. */
    FrontCoding name() {
        return name;
    }

    /** Bytes of the document's file before it. */
    long place() {
        return place;
    }

    /** The digest; a new array. */
    byte[] digest() {
        return Arrays.copyOfRange(in.bytes, digestAt, digestAt + ArchivedDocument.DIGEST_BYTES);
    }
}
