package dev.veilgate.sse.segments;

import dev.veilgate.secret.Secret;
import java.io.IOException;

/** Walks through all words of a segment with their lists. */
@Secret
final class WordStream {
    private final PartStream dictionary;
    private final PartStream lists;
    private byte[] bytes = new byte[0];
    private DictionaryPage page = new DictionaryPage(new byte[DictionaryWriter.HEAD_BYTES]);
    private byte[] list = new byte[0];
    private boolean taken = true; // whether the list of the present word was read

    WordStream(SegmentPages pages) {
        dictionary = new PartStream(pages, SegmentPart.DICTIONARY);
        lists = new PartStream(pages, SegmentPart.LISTS);
    }

    /** Moves to the next word, if there is one. The list of the present one must have been taken. */
    boolean next() throws IOException {
        if (!taken) {
            throw new IllegalStateException("lists stand one behind the other");
        }
        try {
            while (!page.next()) {
                if (dictionary.left() == 0) {
                    return false;
                }
                bytes = dictionary.page();
                page = new DictionaryPage(bytes);
            }
        } catch (IndexOutOfBoundsException e) {
            throw dictionary.damaged();
        }
        taken = false;
        return true;
    }

    /** The present word. */
    FrontCoding word() {
        return page.word();
    }

    /**
     * Adds the documents of the present word that have a new number.
     *
     * @param newNumbers by number; -1 if there is none
     * @return how often the word occurs in them
     */
    long list(int[] newNumbers, PostingEncoder to) throws IOException {
        int length = page.listBytes();
        byte[] from = bytes;
        long at = page.listPlace();
        if (!page.isInline()) {
            if (length > lists.left() || at != lists.at()) {
                throw lists.damaged();
            }
            list = list.length < length ? new byte[Math.max(length, 2 * list.length)] : list;
            lists.read(list, 0, length);
            from = list;
            at = 0;
        }
        taken = true;
        long total = 0;
        try {
            PostingCursor cursor = new PostingCursor(from, (int) at, page.documents());
            while (cursor.next()) {
                int number = newNumbers[Math.toIntExact(cursor.number())];
                if (number >= 0) {
                    to.add(number, cursor.times());
                    total += cursor.times();
                }
            }
        } catch (IndexOutOfBoundsException | ArithmeticException e) {
            throw page.isInline() ? dictionary.damaged() : lists.damaged();
        }
        return total;
    }
}
