package dev.veilgate.sse.segments;

import java.io.IOException;

/**
 * Writes documents and their fences.
 *
 * <pre>
 *   page   = document ... || zeros
 *   document = front-coded name || step || digest (8 bytes)
 *   fences = documents of the first page || of the second || ... , but of the last
 * </pre>
 *
 * <p>The first name of a page has none before it. A step is by how much the place in the file is behind that of the
 * document before, in the first of a page behind 0: 2 d, or -2 d - 1 if d is negative.
 */
final class DocumentsWriter {
    private final PartWriter fences;
    private final PartWriter documents;
    private final FrontCoding coding = new FrontCoding();
    private final ByteBag entry = new ByteBag();
    private int inPage;
    private long lastPlace;

    DocumentsWriter(PartWriter fences, PartWriter documents) {
        this.fences = fences;
        this.documents = documents;
    }

    /** The next document. */
    void add(byte[] name, int nameBytes, byte[] digest, long place) throws IOException {
        int shared = coding.shared(name, 0, nameBytes);
        if (coding.bytes(shared, nameBytes) + Numbers.bytes(step(place)) + digest.length > documents.room()) {
            documents.endPage();
            entry.clear();
            entry.number(inPage);
            fences.stream(entry.bytes, 0, entry.length);
            inPage = 0;
            coding.restart();
            shared = 0;
            lastPlace = 0;
        }
        entry.clear();
        coding.write(entry, name, 0, nameBytes, shared);
        entry.number(step(place));
        lastPlace = place;
        entry.put(digest, 0, digest.length);
        documents.put(entry.bytes, 0, entry.length);
        inPage++;
    }

    private long step(long place) {
        long step = place - lastPlace;
        return step << 1 ^ step >> 63;
    }
}
