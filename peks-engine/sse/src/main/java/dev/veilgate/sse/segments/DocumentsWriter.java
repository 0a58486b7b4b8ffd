package dev.veilgate.sse.segments;

import java.io.IOException;

/**
 * Writes documents and their fences.
 *
 * <pre>
 *   page   = document ... || zeros
 *   document = front-coded name || parts || digest (32 bytes)
 *   fences = documents of the first page || of the second || ... , but of the last
 * </pre>
 *
 * <p>The first name of a page has none before it.
 */
final class DocumentsWriter {
    private final PartWriter fences;
    private final PartWriter documents;
    private final FrontCoding coding = new FrontCoding();
    private final ByteBag entry = new ByteBag();
    private int inPage;

    DocumentsWriter(PartWriter fences, PartWriter documents) {
        this.fences = fences;
        this.documents = documents;
    }

    /** The next document. */
    void add(byte[] name, int nameBytes, byte[] digest, long parts) throws IOException {
        int shared = coding.shared(name, 0, nameBytes);
        if (coding.bytes(shared, nameBytes) + Numbers.bytes(parts) + digest.length > documents.room()) {
            documents.endPage();
            entry.clear();
            entry.number(inPage);
            fences.stream(entry.bytes, 0, entry.length);
            inPage = 0;
            coding.restart();
            shared = 0;
        }
        entry.clear();
        coding.write(entry, name, 0, nameBytes, shared);
        entry.number(parts);
        entry.put(digest, 0, digest.length);
        documents.put(entry.bytes, 0, entry.length);
        inPage++;
    }
}
