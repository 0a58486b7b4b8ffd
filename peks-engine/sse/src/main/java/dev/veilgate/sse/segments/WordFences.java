package dev.veilgate.sse.segments;

import java.util.Arrays;

/** Fences of the pages of a dictionary, in two arrays: page i has the words from its fence on, below the next. */
final class WordFences {
    private final byte[] bytes;
    private final int[] ends;

    /** @throws IndexOutOfBoundsException if there are not as many as pages, or one is longer than a word */
    WordFences(byte[] encoded, int pages) {
        PageBytes in = new PageBytes(encoded, 0);
        FrontCoding coding = new FrontCoding();
        ByteBag all = new ByteBag();
        ends = new int[pages];
        for (int i = 0; i < pages; i++) {
            coding.read(in);
            if (coding.length() > WordBytes.MAX_BYTES) {
                throw new IndexOutOfBoundsException();
            }
            all.put(coding.buffer(), 0, coding.length());
            ends[i] = all.length;
        }
        if (in.at != encoded.length) {
            throw new IndexOutOfBoundsException();
        }
        bytes = all.toByteArray();
    }

    /** The page that has a word if one has it; -1 if the word is below all. */
    int page(byte[] word) {
        int low = 0;
        int high = ends.length;
        while (low < high) {
            int middle = low + high >>> 1;
            int from = middle == 0 ? 0 : ends[middle - 1];
            if (Arrays.compareUnsigned(bytes, from, ends[middle], word, 0, word.length) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
