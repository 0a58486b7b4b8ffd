package dev.veilgate.sse.segments;

import java.io.IOException;

/**
 * Writes dictionary, fences of words and lists.
 *
 * <pre>
 *   page  = number of words (2 bytes) || place in the lists of the first list of this page (5) || word ... || zeros
 *   word  = front-coded bytes || documents || list                  for one document
 *         | front-coded bytes || documents || length || list        for a list of up to 64 bytes
 *         | front-coded bytes || documents || length                for one in the lists, behind that before it
 * </pre>
 *
 * <p>The first word of a page has no word before it.
 */
final class DictionaryWriter {
    static final int HEAD_BYTES = 7;
    static final int INLINE_BYTES = 64;

    private static final int COUNT_BYTES = 2;

    private final PartWriter fences;
    private final PartWriter dictionary;
    private final PartWriter lists;
    private final FrontCoding coding = new FrontCoding();
    private final FrontCoding fenceCoding = new FrontCoding();
    private final ByteBag entry = new ByteBag();
    private int inPage;
    private long words;

    DictionaryWriter(PartWriter fences, PartWriter dictionary, PartWriter lists) {
        this.fences = fences;
        this.dictionary = dictionary;
        this.lists = lists;
    }

    /**
     * The next word, above all before it.
     *
     * @param list its documents, which are ended here
     */
    void add(byte[] word, int at, int length, PostingEncoder list) throws IOException {
        int documents = list.count();
        ByteBag encoded = list.finish();
        int listBytes = encoded.length;
        int shared = coding.shared(word, at, length);
        int behind = Numbers.bytes(documents)
                + (documents == 1 ? 0 : Numbers.bytes(listBytes))
                + (isInline(documents, listBytes) ? listBytes : 0);
        if (dictionary.isNewPage() || coding.bytes(shared, length) + behind > dictionary.room()) {
            beginPage(word, at, Math.min(shared + 1, length));
            shared = 0;
        }
        entry.clear();
        coding.write(entry, word, at, length, shared);
        entry.number(documents);
        if (documents > 1) {
            entry.number(listBytes);
        }
        if (isInline(documents, listBytes)) {
            entry.put(encoded.bytes, 0, listBytes);
        } else {
            lists.stream(encoded.bytes, 0, listBytes);
        }
        dictionary.put(entry.bytes, 0, entry.length);
        inPage++;
        words++;
    }

    static boolean isInline(int documents, int listBytes) {
        return documents == 1 || listBytes <= INLINE_BYTES;
    }

    private void beginPage(byte[] word, int at, int tells) throws IOException {
        if (words > 0) {
            endPage();
        }
        entry.clear();
        fenceCoding.write(entry, word, at, tells, fenceCoding.shared(word, at, tells));
        fences.stream(entry.bytes, 0, entry.length);
        coding.restart();
        inPage = 0;
        dictionary.fixed(0, COUNT_BYTES).fixed(lists.length(), HEAD_BYTES - COUNT_BYTES);
    }

    private void endPage() throws IOException {
        dictionary.set(0, inPage, COUNT_BYTES);
        dictionary.endPage();
    }

    /** How many words there are. */
    long words() {
        return words;
    }

    /** Ends dictionary and fences. */
    void finish() {
        if (words > 0) {
            dictionary.set(0, inPage, COUNT_BYTES);
        }
    }
}
