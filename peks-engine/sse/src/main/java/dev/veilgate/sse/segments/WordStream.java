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
    private byte[] taken = list;
    private boolean isTaken = true; // whether the list of the present word was read

    WordStream(SegmentPages pages) {
        dictionary = new PartStream(pages, SegmentPart.DICTIONARY);
        lists = new PartStream(pages, SegmentPart.LISTS);
    }

    /** Moves to the next word, if there is one. The list of the present one must have been taken. */
    boolean next() throws IOException {
        if (!isTaken) {
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
        isTaken = false;
        return true;
    }

    /** Number of the dictionary's page that the present word is in. */
    long page() {
        return (dictionary.at() - 1) / PageCipher.PAGE_BYTES;
    }

    /** Bytes of lists that no word had. */
    long left() {
        return lists.left();
    }

    /**
     * The documents of the present word, without lengths.
     *
     * @param documents of the segment
     */
    Postings postings(int documents) throws IOException {
        int at = takeList();
        try {
            return Postings.decode(_ -> 0, documents, page.documents(), taken, at, at + page.listBytes());
        } catch (IndexOutOfBoundsException | ArithmeticException e) {
            throw damagedList();
        }
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
        int at = takeList();
        long total = 0;
        try {
            PostingCursor cursor = new PostingCursor(taken, at, page.documents());
            while (cursor.next()) {
                int number = newNumbers[Math.toIntExact(cursor.number())];
                if (number >= 0) {
                    to.add(number, cursor.times());
                    total += cursor.times();
                }
            }
        } catch (IndexOutOfBoundsException | ArithmeticException e) {
            throw damagedList();
        }
        return total;
    }

    /** Reads the list of the present word into {@link #taken}; where it begins there. */
    private int takeList() throws IOException {
        isTaken = true;
        if (page.isInline()) {
            taken = bytes;
            return (int) page.listPlace();
        }
        int length = page.listBytes();
        if (length > lists.left() || page.listPlace() != lists.at()) {
            throw lists.damaged();
        }
        list = list.length < length ? new byte[Math.max(length, 2 * list.length)] : list;
        lists.read(list, 0, length);
        taken = list;
        return 0;
    }

    private DamagedObjectException damagedList() {
        return page.isInline() ? dictionary.damaged() : lists.damaged();
    }
}
