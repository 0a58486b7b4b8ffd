package dev.veilgate.sse.segments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Inverts documents: takes their words by number, document after document, and gives the list of each word. What is
 * taken is kept as it comes, with only the length of each list counted; the lists are written at the end, each at its
 * place, as {@link PostingEncoder} writes documents without blocks, and then one after the other with them.
 */
final class PostingTable {
    private static final int CHUNK = 1 << 16;
    private static final int REPEATED = 1 << 31; // how often follows
    private static final int STRIDE = 4;
    private static final int LAST = 0; // document, + 1
    private static final int DOCUMENTS = 1;
    private static final int BYTES = 2; // up to now; then where the next goes

    private final List<int[]> chunks = new ArrayList<>();
    private int[] chunk = new int[CHUNK];
    private int inChunk;
    private int[] ofWords = new int[STRIDE << 10];
    private int[] inDocuments = new int[1 << 10];
    private int documents;
    private long bytes;
    private byte[] lists = new byte[0];
    private long at;

    /** Begins the next document. */
    void nextDocument() {
        if (documents == inDocuments.length) {
            inDocuments = Arrays.copyOf(inDocuments, 2 * documents);
        }
        documents++;
    }

    /** The present document has a word. */
    void add(int word, int times) {
        int at = word * STRIDE;
        if (at >= ofWords.length) {
            ofWords = Arrays.copyOf(ofWords, Math.max(2 * ofWords.length, at + STRIDE));
        }
        int document = documents - 1;
        int more = Numbers.bytes((long) (document - ofWords[at + LAST]) << 1)
                + (times == 1 ? 0 : Numbers.bytes(times - 2));
        ofWords[at + LAST] = document + 1;
        ofWords[at + DOCUMENTS]++;
        ofWords[at + BYTES] += more;
        bytes += more;
        inDocuments[document]++;
        if (times == 1) {
            keep(word);
        } else {
            keep(word | REPEATED);
            keep(times);
        }
    }

    private void keep(int value) {
        if (inChunk == CHUNK) {
            chunks.add(chunk);
            chunk = new int[CHUNK];
            inChunk = 0;
        }
        chunk[inChunk++] = value;
    }

    /** Bytes of all lists. */
    long bytes() {
        return bytes;
    }

    /** How many documents a word has. */
    int documents(int word) {
        return ofWords[word * STRIDE + DOCUMENTS];
    }

    /** Writes all lists, in an order of the words; nothing can be added then. */
    void invert(int[] order) {
        lists = new byte[Math.toIntExact(bytes)];
        int place = 0;
        for (int word : order) {
            int length = ofWords[word * STRIDE + BYTES];
            ofWords[word * STRIDE + BYTES] = place;
            ofWords[word * STRIDE + LAST] = 0;
            place += length;
        }
        chunks.add(chunk);
        at = 0;
        for (int document = 0; document < documents; document++) {
            for (int i = 0; i < inDocuments[document]; i++) {
                int word = take();
                int times = 1;
                if (word < 0) {
                    word &= ~REPEATED;
                    times = take();
                }
                int state = word * STRIDE;
                put(state, document, times);
            }
        }
        chunks.clear();
        place = 0;
        for (int word : order) {
            int end = ofWords[word * STRIDE + BYTES];
            ofWords[word * STRIDE + BYTES] = place;
            place = end;
        }
    }

    private int take() {
        int value = chunks.get((int) (at / CHUNK))[(int) (at % CHUNK)];
        at++;
        return value;
    }

    private void put(int state, int document, int times) {
        int gap = document - ofWords[state + LAST];
        int end = Numbers.put(lists, ofWords[state + BYTES], (long) gap << 1 | (times == 1 ? 0 : 1));
        ofWords[state + BYTES] = times == 1 ? end : Numbers.put(lists, end, times - 2);
        ofWords[state + LAST] = document + 1;
    }

    /** Writes the list of a word, after {@link #invert}. */
    void encode(int word, PostingEncoder to) {
        to.clear();
        PageBytes in = new PageBytes(lists, ofWords[word * STRIDE + BYTES]);
        int number = -1;
        for (int i = documents(word); i > 0; i--) {
            int head = in.count();
            number += (head >>> 1) + 1;
            to.add(number, (head & 1) == 0 ? 1 : in.count() + 2);
        }
    }
}
