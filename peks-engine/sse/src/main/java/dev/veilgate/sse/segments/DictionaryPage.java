package dev.veilgate.sse.segments;

/** Walks through the words of a page of the dictionary, as {@link DictionaryWriter} wrote it. */
final class DictionaryPage {
    private final PageBytes in;
    private final FrontCoding word = new FrontCoding();
    private int left;
    private long lists;
    private int documents;
    private int listBytes;
    private long listPlace;
    private int shared;

    /** Before the first word. */
    DictionaryPage(byte[] page) {
        in = new PageBytes(page, 0);
        left = (int) in.fixed(2);
        lists = in.fixed(DictionaryWriter.HEAD_BYTES - 2);
    }

    /** Moves to the next word, if there is one. */
    boolean next() {
        if (left == 0) {
            return false;
        }
        left--;
        shared = word.read(in);
        documents = in.count();
        if (documents == 1) {
            listPlace = in.at;
            if ((in.number() & 1) != 0) {
                in.number();
            }
            listBytes = in.at - (int) listPlace;
        } else {
            listBytes = in.count();
            if (isInline()) {
                listPlace = in.at;
                in.at += listBytes;
            } else {
                listPlace = lists;
                lists += listBytes;
            }
        }
        if (in.at > in.bytes.length) {
            throw new IndexOutOfBoundsException();
        }
        return true;
    }

    /** Moves to a word, if the page has it. */
    boolean find(byte[] wanted) {
        int same = 0; // bytes that the present word has like the one that is wanted
        while (next()) {
            if (shared > same) {
                continue; // differs where the word before did, and that was below
            }
            if (shared < same) {
                return false; // above, where the word before was the same
            }
            byte[] bytes = word.buffer();
            int most = Math.min(word.length(), wanted.length);
            while (same < most && bytes[same] == wanted[same]) {
                same++;
            }
            if (same == wanted.length) {
                return word.length() == wanted.length;
            }
            if (same < word.length() && (bytes[same] & 0xff) > (wanted[same] & 0xff)) {
                return false;
            }
        }
        return false;
    }

    /** The present word. */
    FrontCoding word() {
        return word;
    }

    /** How many documents have it. */
    int documents() {
        return documents;
    }

    /** Whether its list stands in this page. */
    boolean isInline() {
        return DictionaryWriter.isInline(documents, listBytes);
    }

    /** Where its list begins, in this page or in the lists. */
    long listPlace() {
        return listPlace;
    }

    /** Bytes of its list. */
    int listBytes() {
        return listBytes;
    }
}
