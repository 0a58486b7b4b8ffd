package dev.veilgate.sse.segments;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Inverts documents: takes their words by number, document after document, and gives the list of each word. What is
 * taken is kept as it comes, with only the length of each list counted; the lists are written at the end, each at its
 * place.
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
        int more = PostingCursor.bytes(ofWords[at + LAST] - 1, document, times);
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
    byte[] lists(int[] order) {
        byte[] lists = new byte[Math.toIntExact(bytes)];
        int place = 0;
        for (int word : order) {
            int length = ofWords[word * STRIDE + BYTES];
            ofWords[word * STRIDE + BYTES] = place;
            ofWords[word * STRIDE + LAST] = 0;
            place += length;
        }
        chunks.add(chunk);
        int[] from = chunks.getFirst();
        int next = 0;
        int at = 0;
        for (int document = 0; document < documents; document++) {
            for (int i = 0; i < inDocuments[document]; i++) {
                if (at == CHUNK) {
                    from = chunks.get(++next);
                    at = 0;
                }
                int word = from[at++];
                int times = 1;
                if (word < 0) {
                    if (at == CHUNK) {
                        from = chunks.get(++next);
                        at = 0;
                    }
                    times = from[at++];
                    word &= ~REPEATED;
                }
                int state = word * STRIDE;
                ofWords[state + BYTES] =
                        PostingCursor.put(lists, ofWords[state + BYTES], ofWords[state + LAST] - 1, document, times);
                ofWords[state + LAST] = document + 1;
            }
        }
        return lists;
    }

    /** Where the list of a word ends, after {@link #lists}; there the list of the next in the order begins. */
    int end(int word) {
        return ofWords[word * STRIDE + BYTES];
    }
}
